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
  /** A session of our own store. */
  | 'stored'

/** Something in a recording that could not be read and was skipped. */
export interface RecordingProblem {
  /** Line of the file, from 1. */
  readonly line: number
  readonly message: string
}

/** An event of a session. */
export type RecordingEvent =
  | { readonly kind: 'message'; readonly message: MessageDraft }
  /**
   * The agent compacted its history: only the messages in `keeps` (positions among the message events, ascending) are
   * still in the context. Messages that the compaction added follow as message events.
   */
  | {
      readonly kind: 'compaction'
      readonly keeps: readonly number[]
      readonly at?: number
      /** True if the user went back to an earlier message instead, which removes the messages after it. */
      readonly rewind?: true
    }
  /** The agent cleared these results without compacting. Positions of the message event, and of the item in it. */
  | {
      readonly kind: 'cleared'
      readonly results: readonly { readonly message: number; readonly item: number }[]
      readonly at?: number
    }

/** One recorded session. Call ids are unique in it, even if the recorded ids are not. */
export interface Recording {
  readonly format: RecordingFormat
  readonly session: string | null
  /** The session that started this one, for a sub-agent with its own recording. */
  readonly parent: string | null
  readonly model: string | null
  readonly cwd: string | null
  readonly events: readonly RecordingEvent[]
  /** Messages as the agent counts them: lines merged by message id, results inside messages not counted separately. */
  readonly messages: number
  /** Records of sub-agents in this file. They are not part of the conversation. */
  readonly subagentRecords: number
}

/** Takes the JSON values of a file in order and returns the sessions at the end. */
export interface RecordingBuilder {
  /** Must not throw. Values that cannot be used are reported as problems. */
  add(value: unknown, line: number): void
  end(): readonly Recording[]
}

/** One agent's recording format. Detection is by content, never by file name. */
export interface RecordingReader {
  readonly format: RecordingFormat
  /** True if this value shows that the file has this format. */
  recognises(value: unknown): boolean
  open(problem: (problem: RecordingProblem) => void): RecordingBuilder
}

/** A whole file. */
export interface RecordingFile {
  readonly format: RecordingFormat
  readonly recordings: readonly Recording[]
  readonly problems: readonly RecordingProblem[]
}
