import type { Coefficients } from '../../words/coefficients.ts'
import type { SeenFeatures } from './features.ts'
import { leastProbabilityOfAnchor, leastProbabilityOfName } from './probability.ts'
import type { NeedProbability } from './rules.ts'

/** What letting go of a result brings, and what a wrong guess costs. */
export interface Bargain extends Stakes {
  /** A file's text, of which a short form keeps many names; else what a program or a search said. */
  readonly isFileText: boolean
  readonly probability: NeedProbability
}

/** What there is to gain and to lose. */
export interface Stakes {
  /** Characters of the result as it came, as it is shown now, and in the short form. */
  readonly originalChars: number
  readonly shownChars: number
  readonly shortChars: number
  /** Characters of the whole request. */
  readonly contextChars: number
  /** The request that is being prepared, from 1. */
  readonly turn: number
}

/** In multiples of the price of an input character; those of the commonest provider, all others rank alike. */
const readPrice = 0.1
const writePrice = 1.25
/** A session goes on for about as long as it has, and no more is counted on than this. */
const mostRequests = 60
const leastRequests = 3
/** Of the names in a result that are copied, so many are neither in its short form nor anywhere else. */
const namesMissed = { file: 0.1, other: 0.6 }

/** How probable it is that the result will be wanted back. */
export function probabilityOfFetch({
  isFileText,
  probability,
}: Pick<Bargain, 'isFileText' | 'probability'>): number {
  const missed = isFileText ? namesMissed.file : namesMissed.other
  return probability.anchor + missed * probability.name
}

/** No more than that, by what counts most: the lines of a file, and the names in all else. */
export function leastProbabilityOfFetch(
  features: SeenFeatures,
  coefficients?: Coefficients | null,
): number {
  return features.isFileText
    ? leastProbabilityOfAnchor(features, coefficients)
    : namesMissed.other * leastProbabilityOfName(features, coefficients)
}

/**
 * Whether the expected price of fetching the result back is at most `risk` of what the short form saves: 0 lets go of
 * nothing, 1 of all that pays by itself. Fetching back is one more request and the result written and read again.
 */
export function isWorthIt(bargain: Bargain, risk: number): boolean {
  return isWorthFetching(probabilityOfFetch(bargain), bargain, risk)
}

/** The same for a known probability that the result will be wanted back. */
export function isWorthFetching(probability: number, stakes: Stakes, risk: number): boolean {
  const { originalChars, shownChars, shortChars, contextChars, turn } = stakes
  const requests = Math.min(mostRequests, Math.max(leastRequests, turn))
  const saved = readPrice * requests * (shownChars - shortChars)
  const again = writePrice * originalChars + readPrice * requests * originalChars
  const fetched = readPrice * contextChars + again
  return probability * fetched <= risk * saved
}
