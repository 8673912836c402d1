export { countRecording, type RecordingCounts } from './anatomy-counts.ts'
export { type ReadRecordingOptions, readRecording } from './read-recording.ts'
export type {
  Recording,
  RecordingEvent,
  RecordingFile,
  RecordingFormat,
  RecordingProblem,
} from './recording.ts'
