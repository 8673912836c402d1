import { type ActionOptions, createPaths } from '../actions/index.ts'
import { createUnderstanding } from '../actions/understand.ts'
import {
  createFileTracker,
  type FileEvent,
  type FileState,
  type FileTracker,
} from '../core/files/index.ts'
import { createRecord } from '../core/record/record.ts'
import { createOperations } from '../core/track/operations.ts'
import type { Recording } from '../recordings/recording.ts'
import { appendTo, finish, type Work } from './work.ts'

/** A file at one point of a session. */
export interface TimelineEntry extends Omit<FileEvent, 'call'> {
  readonly exists: boolean | null
  /** Lines that are known for certain, and how many there are; null when that is not known. */
  readonly knownLines: number
  readonly lineCount: number | null
}

export interface FileTimeline {
  /** The path in the spelling that the session's files are kept under. */
  readonly path: string
  readonly entries: readonly TimelineEntry[]
  /** How many requests the session made. Nothing is known after the last one. */
  readonly requests: number
  stateAt(turn: number): FileState
}

/** What a recorded session knew of a file over time. The agent's compactions are ignored. */
export function fileTimeline(
  recording: Recording,
  path: string,
  options: ActionOptions = {},
): FileTimeline {
  const files = finish(trackFiles(recording, options))
  const own = createPaths({ cwd: recording.cwd }).canonical(path)
  const canonical = files.history(own).length > 0 ? own : files.meant(path)
  const entries = files.history(canonical).map(({ kind, turn, version }): TimelineEntry => {
    const { exists, lineCount, complete, segments } = files.stateAt(canonical, turn)
    const lines = segments.flatMap((segment) => (segment.kind === 'lines' ? segment.lines : []))
    const knownLines = lines.filter(({ certain }) => certain).length
    // A text that is known whole is uncertain at most in its final line break.
    const count = lineCount ?? (complete ? knownLines : null)
    return { kind, turn, version, exists, knownLines, lineCount: count }
  })
  const requests = recording.events.filter(
    (event) => event.kind === 'message' && event.message.role === 'assistant',
  ).length
  return { path: canonical, entries, requests, stateAt: (turn) => files.stateAt(canonical, turn) }
}

/** What a recorded session knew of its files. The agent's compactions are ignored. */
export function* trackFiles(recording: Recording, options: ActionOptions = {}): Work<FileTracker> {
  const record = createRecord({ sizeOf: () => 0 })
  const drafts = recording.events.flatMap((event) =>
    event.kind === 'message' ? [event.message] : [],
  )
  const operations = createOperations(
    createUnderstanding({ cwd: recording.cwd, mappings: options.mappings }),
  )
  const files = createFileTracker()
  for (const message of yield* appendTo(record, drafts)) {
    yield
    files.observeMessage(message)
    for (const operation of operations.observe(message)) files.observe(operation)
  }
  return files
}
