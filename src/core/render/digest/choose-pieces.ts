import { mostWorth, type Piece, type Worth, type WorthByNames, worth } from './piece.ts'

/** `must` pieces may take this many times the room, or this many characters if that is more. */
const mustFactor = 4
const mustChars = 12_000
/** After this many pieces that did not fit, the others of the same worth are skipped. */
const mostMisses = 20
/** The worth of a piece whose names were not searched yet. */
const undecided = 0xff

/**
 * Marks the most valuable pieces with 1, until there is no more room. `decide` returns the worth of a piece by its names,
 * and is called for as few pieces as possible.
 */
export function choosePieces(
  pieces: readonly Piece[],
  room: number,
  decide: (piece: Piece, byNames: WorthByNames) => Worth,
): Uint8Array {
  const kept = new Uint8Array(pieces.length)
  const worths = new Uint8Array(pieces.length)
  for (let at = 0; at < pieces.length; at++) {
    const { worth: value } = pieces[at] as Piece
    worths[at] = typeof value === 'number' ? value : undecided
  }
  let used = 0
  for (let value: Worth = mostWorth; value > worth.noise; value = (value - 1) as Worth) {
    const limit = value === worth.must ? Math.max(room * mustFactor, mustChars) : room
    takeEnds(
      candidatesFor(value, pieces, worths),
      (at) => {
        const { worth: known } = pieces[at] as Piece
        if (worths[at] === undecided)
          worths[at] = typeof known === 'number' ? known : decide(pieces[at] as Piece, known)
        return worths[at] === value
      },
      (at) => {
        const cost = (pieces[at] as Piece).text.length + 1
        if (used + cost > limit) return false
        kept[at] = 1
        used += cost
        return true
      },
    )
    if (used >= room) break
  }
  return kept
}

/** The pieces of this worth, and the undecided ones that may have it. */
function candidatesFor(value: Worth, pieces: readonly Piece[], worths: Uint8Array): number[] {
  const candidates: number[] = []
  for (let at = 0; at < worths.length; at++) {
    if (worths[at] === value) candidates.push(at)
    else if (worths[at] === undecided && mostOf(pieces[at] as Piece) >= value) candidates.push(at)
  }
  return candidates
}

function mostOf({ worth: value }: Piece): Worth {
  return typeof value === 'number' ? value : (Math.max(value.named, value.nameless) as Worth)
}

/** Takes pieces from both ends, because the first ones show the cause and the last ones the outcome. */
function takeEnds(
  candidates: readonly number[],
  belongs: (at: number) => boolean,
  take: (at: number) => boolean,
): void {
  let front = 0
  let back = candidates.length - 1
  let misses = 0
  for (let turn = 0; misses < mostMisses; turn++) {
    const isFromBack = turn % 3 === 2
    while (front <= back && !belongs(candidates[isFromBack ? back : front] as number)) {
      if (isFromBack) back--
      else front++
    }
    if (front > back) return
    if (!take(candidates[isFromBack ? back-- : front++] as number)) misses++
  }
}
