import { cut } from '../marks.ts'
import { indexShare, type NameIndex } from './name-index.ts'
import { type Piece, worth } from './piece.ts'
import type { DigestLimits } from './source.ts'

/** A cut that hides less than this is not worth its own line. */
const leastCut = 40

export interface ShowOptions {
  readonly limits: DigestLimits
  /** Whether cuts between neighbouring pieces are marked where they are; else only their sum is told at the end. */
  readonly marksCuts: boolean
  /** Each cut that is marked has a handle of its own, which gives its lines back. */
  readonly hasOwnHandles?: boolean
  /** The lines of the original, */
  readonly lines: readonly string[]
  /** and the names in those of them that are left out, by their numbers, and nowhere in what is shown. */
  readonly index: (leftOut: readonly number[], shown: string, chars: number) => NameIndex
  /** How many characters the names in what is left out may take; their usual share of the target unless told. */
  readonly indexChars?: number
  /** What is counted at the end where cuts are not marked: `matches`, `paths`, … */
  readonly noun?: string
}

/** What is shown before the names are told in what is not. */
export interface Kept {
  readonly body: string
  /** The numbers of the lines that are not shown, or not as a whole. */
  readonly leftOut: readonly number[]
  /** How much was left out, and how many of the lines that are shown were shortened. */
  readonly count: number
  readonly shortened: number
}

/** The pieces that are marked with 1, in order, with what is between them counted and its names told. */
export function showKept(pieces: readonly Piece[], kept: Uint8Array, options: ShowOptions): string {
  return tellNames(joinKept(pieces, kept, options), options)
}

interface Gap {
  /** Pieces that are left out, the last one included. */
  readonly first: number
  readonly last: number
}

function gapsOf(pieces: readonly Piece[], kept: Uint8Array): readonly Gap[] {
  const gaps: Gap[] = []
  let at = 0
  while (at < pieces.length) {
    if (kept[at] === 1) {
      at++
      continue
    }
    const first = at
    let chars = 0
    while (at < pieces.length && kept[at] !== 1) chars += (pieces[at++] as Piece).text.length + 1
    if (chars >= leastCut) gaps.push({ first, last: at - 1 })
  }
  return gaps
}

/** The first half of it, which is much less work than the second. */
export function joinKept(
  pieces: readonly Piece[],
  kept: Uint8Array,
  { limits, lines, marksCuts, hasOwnHandles }: ShowOptions,
): Kept {
  const shown: string[] = []
  const leftOut: number[] = []
  let count = 0
  let shortened = 0
  let at = 0
  const addLines = ({ first, last, worth: value }: Piece): void => {
    // What passed or repeats itself is not what a later call is about.
    for (let line = first; value !== worth.noise && line <= last; line++) leftOut.push(line)
  }
  const showUntil = (end: number): void => {
    for (; at < end; at++) {
      const piece = pieces[at] as Piece
      if (isShortened(piece, lines)) {
        leftOut.push(piece.first)
        shortened++
      }
      // One empty line separates as well as several.
      if (piece.text !== '' || shown.at(-1) !== '') shown.push(piece.text)
    }
  }
  for (const gap of gapsOf(pieces, kept)) {
    showUntil(gap.first)
    const from = (pieces[gap.first] as Piece).first
    const to = (pieces[gap.last] as Piece).last
    for (let hidden = gap.first; hidden <= gap.last; hidden++) addLines(pieces[hidden] as Piece)
    const recall = count === 0 ? limits.recall : null
    if (marksCuts) {
      shown.push(
        hasOwnHandles
          ? cut.ownHandle(from + 1, to + 1, limits.recall, count === 0)
          : cut.lines(from + 1, to + 1, recall),
      )
    }
    count += marksCuts ? to - from + 1 : gap.last - gap.first + 1
    at = gap.last + 1
  }
  showUntil(pieces.length)
  return { body: shown.join('\n').trimEnd(), leftOut, count, shortened }
}

/** The second half; what it gives is at least as long as the first. */
export function tellNames(
  { body, leftOut, count, shortened }: Kept,
  { limits, index, marksCuts, indexChars, noun = 'lines' }: ShowOptions,
): string {
  if (count === 0 && shortened === 0) return body
  const chars = indexChars ?? Math.floor(limits.targetChars * indexShare)
  const { names, more } = index(leftOut, body, chars)
  const told = count === 0 ? cut.leftOut(shortened, 'ends of lines') : cut.leftOut(count, noun)
  const isTold = marksCuts && count > 0
  if (isTold && names.length === 0) return body
  return `${body}\n${cut.closing(told, cut.namedThere(names, more), isTold ? null : limits.recall)}`
}

/** True for a line of which only a part is shown. */
function isShortened({ text, first, last }: Piece, lines: readonly string[]): boolean {
  const line = lines[first] as string
  return first === last && text.length < line.length && text.length < line.trimEnd().length
}
