export type { FileEvent, FileEventKind } from './file-record.ts'
export { certainLine, type FileState, type Segment, type StateLine } from './file-state.ts'
export { createFileTracker, type FileTracker } from './file-tracker.ts'
export type { Coverage, CoveredLine, LineFate, Showing } from './showings.ts'
