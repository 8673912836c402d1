import type { Action } from '../../words/action.ts'
import type { ResultStatus } from '../../words/item.ts'

/** A result to digest. */
export interface DigestSource {
  readonly text: string
  readonly handle: string
  readonly tool: string
  /** What the call did; null when it is not known. */
  readonly action: Action | null
  readonly status: ResultStatus
}

export interface DigestLimits {
  /** Texts of up to this many characters stay whole. */
  readonly leastChars: number
  /** The length of a digest, unless the pieces that must stay are longer. */
  readonly targetChars: number
  /** How to restore the original, for example `context_restore a1b2c3`. */
  readonly recall: string
}

/** The detected kind of a result. */
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
