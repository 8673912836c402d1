import { cut } from '../marks.ts'
import type { DigestLimits } from './digest-types.ts'
import { indexShare, type NameIndex } from './name-index.ts'
import { type Piece, worth } from './piece.ts'

/** A cut that hides fewer characters than this gets no line. */
const leastCut = 40

export interface ShowOptions {
  readonly limits: DigestLimits
  /** True to mark each cut where it is; else only the total is given at the end. */
  readonly marksCuts: boolean
  /** True to give each marked cut its own handle. */
  readonly hasOwnHandles?: boolean
  /** The lines of the original. */
  readonly lines: readonly string[]
  /** The names in the left-out lines, given by number, that do not occur in the shown text. */
  readonly index: (leftOut: readonly number[], shown: string, chars: number) => NameIndex
  /** The most characters for names in left-out lines; by default a share of the target. */
  readonly indexChars?: number
  /** What the total counts when cuts are not marked: `matches`, `paths`, … */
  readonly noun?: string
}

/** The shown text before names are appended. */
export interface Kept {
  readonly body: string
  /** The numbers of the lines that are not shown in full. */
  readonly leftOut: readonly number[]
  /** The number of left-out lines or pieces, and of shown lines that were shortened. */
  readonly count: number
  readonly shortened: number
}

/** The pieces marked with 1, with the number of left-out lines between them and the names in those. */
export function showKept(pieces: readonly Piece[], kept: Uint8Array, options: ShowOptions): string {
  return appendNames(joinKept(pieces, kept, options), options)
}

interface Gap {
  /** Indices of left-out pieces, including the last. */
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

/** Joins the kept pieces, without the names. */
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
    // Names in noise are not useful to later calls.
    for (let line = first; value !== worth.noise && line <= last; line++) leftOut.push(line)
  }
  const showUntil = (end: number): void => {
    for (; at < end; at++) {
      const piece = pieces[at] as Piece
      if (isShortened(piece, lines)) {
        leftOut.push(piece.first)
        shortened++
      }
      // Consecutive empty lines become one.
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

/** Appends the total and the names in left-out lines. */
export function appendNames(
  { body, leftOut, count, shortened }: Kept,
  { limits, index, marksCuts, indexChars, noun = 'lines' }: ShowOptions,
): string {
  if (count === 0 && shortened === 0) return body
  const chars = indexChars ?? Math.floor(limits.targetChars * indexShare)
  const { names, more } = index(leftOut, body, chars)
  const total = count === 0 ? cut.leftOut(shortened, 'ends of lines') : cut.leftOut(count, noun)
  const isMarked = marksCuts && count > 0
  if (isMarked && names.length === 0) return body
  return `${body}\n${cut.closing(total, cut.namedThere(names, more), isMarked ? null : limits.recall)}`
}

/** True for a line of which only a part is shown. */
function isShortened({ text, first, last }: Piece, lines: readonly string[]): boolean {
  const line = lines[first] as string
  return first === last && text.length < line.length && text.length < line.trimEnd().length
}
