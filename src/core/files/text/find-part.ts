import { partitionPoint } from '../../words/partition-point.ts'
import type { ChunkText, Line } from './chunk.ts'
import type { LineList } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'

/** The place of a text without line breaks: the line's index in the list, and the column. */
export interface PartPlace {
  readonly line: number
  readonly column: number
}

/** Lists of at most this many chunks are searched line by line. */
const fewChunks = 2

/** Every place of a text without line breaks, in order and without overlaps. */
export function partPlaces(list: LineList, part: string): readonly PartPlace[] {
  const places: PartPlace[] = []
  const isShort = list.chunks.length <= fewChunks
  let before = 0
  for (const chunk of list.chunks) {
    const joined = isShort ? null : chunk.textToSearch()
    if (joined === null) findInLines(chunk.lines, part, before, places)
    else findInText(joined, part, before, places)
    before += chunk.length
  }
  return places
}

function findInLines(
  lines: readonly Line[],
  part: string,
  before: number,
  places: PartPlace[],
): void {
  // A part that does not end with a carriage return cannot match the one that ends a line.
  const isPlain = !part.endsWith('\r')
  for (let line = 0; line < lines.length; line++) {
    const own = (lines[line] as Line).text
    if (own.length < part.length) continue
    const text = isPlain ? own : withoutReturn(own)
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
      places.push({ line: before + line, column: at })
    }
  }
}

function findInText(
  { text, starts }: ChunkText,
  part: string,
  before: number,
  places: PartPlace[],
): void {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    const line = partitionPoint(starts.length, (index) => starts[index]! <= at) - 1
    places.push({ line: before + line, column: at - (starts[line] as number) })
  }
}
