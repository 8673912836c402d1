import type { Action } from '../../words/action.ts'
import type { ResultStatus } from '../../words/item.ts'

/** What a digest may know besides the text. */
export interface DigestSource {
  readonly text: string
  readonly handle: string
  readonly tool: string
  /** What the call did, or null when nobody knows. */
  readonly action: Action | null
  readonly status: ResultStatus
}

export interface DigestLimits {
  /** Texts of up to so many characters stay whole. */
  readonly leastChars: number
  /** So long a digest gets, unless what must stay is longer. */
  readonly targetChars: number
  /** How the original is got back, for example `context_restore a1b2c3`. */
  readonly recall: string
}

/** What a result turned out to be. */
export type DigestKind =
  | 'search'
  | 'listing'
  | 'tests'
  | 'diagnostics'
  | 'packages'
  | 'diff'
  | 'history'
  | 'log'
  | 'html'
  | 'json'
  | 'table'
  | 'trace'
  | 'echo'
  | 'file'
  | 'report'
  | 'poll'
  | 'repeat'
  | 'plain'

export interface Digest {
  readonly kind: DigestKind
  readonly text: string
}
