import type { SeenFeatures } from './features.ts'
import type { NeedProbability } from './rules.ts'

/** The sizes on which the savings and the cost of shortening a result depend. */
export interface Stakes {
  /** Characters of the original result, as it is shown now, and of the short form. */
  readonly originalChars: number
  readonly shownChars: number
  readonly shortChars: number
  /** Characters of the whole request. */
  readonly contextChars: number
  /** The request that is being prepared, from 1. */
  readonly turn: number
  /** True while an epoch is open: what is shown of the result is then written to the cache again at this request. */
  readonly isWritten: boolean
}

/** In multiples of the input price. These are Anthropic's; other providers' give the same ranking. */
const readPrice = 0.1
const writePrice = 1.25
/** A session is expected to last as long again as it has so far, within these limits. */
const mostRequests = 60
const leastRequests = 10
/** A line to edit counts for more, because the edit fails before the line is restored and the edit repeated. */
const anchorMissed = 3
/** The share of copied names that are neither in the short form nor anywhere else. */
const namesMissed = { file: 0.1, other: 0.6 }

/** How often the result is expected to be restored. The short form of file text keeps many names. */
export function expectedRestores(
  { isFileText }: Pick<SeenFeatures, 'isFileText'>,
  need: NeedProbability,
): number {
  const missed = isFileText ? namesMissed.file : namesMissed.other
  return anchorMissed * need.anchor + missed * need.name
}

/** The larger of its two terms, and so a lower bound: lines for file text, names for other output. */
export function leastExpectedRestores(
  { isFileText }: Pick<SeenFeatures, 'isFileText'>,
  need: NeedProbability,
): number {
  return isFileText ? anchorMissed * need.anchor : namesMissed.other * need.name
}

/**
 * True when the expected cost of restoring the result is at most the share `risk` of what the short form saves. 0 shortens
 * nothing; 1 shortens everything that pays. Restoring costs one more request, and the result is written and read again. What is
 * written again anyway is cheapest to leave out at that request.
 */
export function isWorthShortening(restores: number, stakes: Stakes, risk: number): boolean {
  const { originalChars, shownChars, shortChars, contextChars, turn, isWritten } = stakes
  const requests = Math.min(mostRequests, Math.max(leastRequests, turn))
  const saved = (readPrice * requests + (isWritten ? writePrice : 0)) * (shownChars - shortChars)
  const again = writePrice * originalChars + readPrice * requests * originalChars
  const restoring = readPrice * contextChars + again
  return restores * restoring <= risk * saved
}
