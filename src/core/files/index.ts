export type { FileEvent } from './knowledge/file-record.ts'
export { certainLine, type FileState } from './knowledge/file-state.ts'
export { createFileTracker, type FileTracker } from './knowledge/file-tracker.ts'
export type { Showing } from './knowledge/showings.ts'
