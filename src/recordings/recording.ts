import type { MessageDraft } from '../core/words/item.ts'

export type RecordingFormat =
  | 'claude-code'
  | 'codex'
  | 'opencode-export'
  | 'opencode-storage'
  | 'pi'
  | 'copilot-cli'
  | 'gemini-cli'
  | 'swe-agent'
  | 'mini-swe-agent'

/** Something in a recording that could not be read. Reading goes on after it. */
export interface RecordingProblem {
  /** Line of the file, from 1. */
  readonly line: number
  readonly message: string
}

/** What a session did, in the order in which it happened. */
export type RecordingEvent =
  | { readonly kind: 'message'; readonly message: MessageDraft }
  /**
   * The agent compacted its history: of the messages so far, only those in `keeps` (positions among the message events,
   * ascending) are still in view. What the compaction wrote follows as messages of its own.
   */
  | {
      readonly kind: 'compaction'
      readonly keeps: readonly number[]
      readonly at?: number
      /** Nothing was compacted: the user went back to an earlier message, and what followed it left the view. */
      readonly rewind?: true
    }
  /** The agent itself cleared these results without compacting. Positions of the message event, and of the item in it. */
  | {
      readonly kind: 'cleared'
      readonly results: readonly { readonly message: number; readonly item: number }[]
      readonly at?: number
    }

/** One session out of a recording. Call ids are unique in it, even where the recorder damaged them. */
export interface Recording {
  readonly format: RecordingFormat
  readonly session: string | null
  /** The session that started this one, for sub-agents that are recorded as sessions of their own. */
  readonly parent: string | null
  readonly model: string | null
  readonly cwd: string | null
  readonly events: readonly RecordingEvent[]
  /** Messages as the agent itself counts them: lines merged by message id, results inside messages not counted apart. */
  readonly messages: number
  /** Records of sub-agents that were kept inside this recording and are no part of its conversation. */
  readonly subagentRecords: number
}

/** Takes the JSON values of a file one by one, in order, and gives the sessions at the end. */
export interface RecordingBuilder {
  /** Must not throw: what it cannot use it reports through `problem`. */
  add(value: unknown, line: number): void
  end(): readonly Recording[]
}

/** One agent's recording format. Detection is by content, never by file name. */
export interface RecordingReader {
  readonly format: RecordingFormat
  /** True when one of the first values of a file shows that it is this format. */
  recognises(value: unknown): boolean
  open(problem: (problem: RecordingProblem) => void): RecordingBuilder
}

/** A whole file. */
export interface RecordingFile {
  readonly format: RecordingFormat
  readonly recordings: readonly Recording[]
  readonly problems: readonly RecordingProblem[]
}
