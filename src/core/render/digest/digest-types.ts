import type { Action } from '../../words/action.ts'
import type { ResultStatus } from '../../words/item.ts'

/** A result to digest. */
export interface DigestSource {
  readonly text: string
  readonly tool: string
  /** What the call did; null when it is not known. */
  readonly action: Action | null
  readonly status: ResultStatus
  /** What the user asked for last; lines about it stay. */
  readonly request: string | null
}

export interface DigestLimits {
  /** Texts of up to this many characters stay whole. */
  readonly leastChars: number
  /** The length of a digest, unless the lines that must stay are longer. */
  readonly targetChars: number
  /** The most characters for lines that must stay: without limit before a result was seen. */
  readonly mustChars: number
  /** The most characters for names that only the left-out lines have. */
  readonly namesChars: number
  /** How to restore the original, for example `context_restore a1b2c3`. */
  readonly recall: string
}

/** The limits for a result that was not seen yet: nothing that stands out is left out. */
export function firstSightLimits(
  chars: number,
  { leastChars, recall }: Pick<DigestLimits, 'leastChars' | 'recall'>,
): DigestLimits {
  const targetChars = Math.min(24_000, Math.floor(leastChars * 0.5 + chars * 0.3))
  return {
    leastChars,
    targetChars,
    mustChars: Number.POSITIVE_INFINITY,
    namesChars: 0,
    recall,
  }
}
