import { mostWorth, type Piece, type Worth, type WorthByNames, worth } from './piece.ts'

/** What must stay may take so much more than the room, and then only its two ends. */
const mustFactor = 4
const mustChars = 12_000
/** After so many pieces for which there is no room, there is none for the others of their worth. */
const mostMisses = 20
/** In the place of the worth of a piece whose names nobody has looked at. */
const unsettled = 0xff

/**
 * Marks the pieces that are worth most with 1, until there is no more room. `settle` says what a piece is worth by its
 * names; it is asked about as few as possible.
 */
export function choosePieces(
  pieces: readonly Piece[],
  room: number,
  settle: (piece: Piece, byNames: WorthByNames) => Worth,
): Uint8Array {
  const kept = new Uint8Array(pieces.length)
  const worths = new Uint8Array(pieces.length)
  for (let at = 0; at < pieces.length; at++) {
    const { worth: value } = pieces[at] as Piece
    worths[at] = typeof value === 'number' ? value : unsettled
  }
  let used = 0
  for (let value: Worth = mostWorth; value > worth.noise; value = (value - 1) as Worth) {
    const limit = value === worth.must ? Math.max(room * mustFactor, mustChars) : room
    takeEnds(
      candidatesFor(value, pieces, worths),
      (at) => {
        const { worth: known } = pieces[at] as Piece
        if (worths[at] === unsettled)
          worths[at] = typeof known === 'number' ? known : settle(pieces[at] as Piece, known)
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

/** The pieces that are worth so much, and those that may turn out to be. */
function candidatesFor(value: Worth, pieces: readonly Piece[], worths: Uint8Array): number[] {
  const candidates: number[] = []
  for (let at = 0; at < worths.length; at++) {
    if (worths[at] === value) candidates.push(at)
    else if (worths[at] === unsettled && mostOf(pieces[at] as Piece) >= value) candidates.push(at)
  }
  return candidates
}

function mostOf({ worth: value }: Piece): Worth {
  return typeof value === 'number' ? value : (Math.max(value.named, value.nameless) as Worth)
}

/** From both ends towards the middle: what is first is the cause, what is last the outcome. */
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
