export type { FileEvent } from './file-record.ts'
export { certainLine, type FileState } from './file-state.ts'
export { createFileTracker, type FileTracker } from './file-tracker.ts'
export type { Showing } from './showings.ts'
