import { partitionPoint } from '../../words/partition-point.ts'
import type { Line, LineList } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'

/** A chunk's lines as one text to search in, with the position where each line begins. */
interface ChunkText {
  readonly text: string
  readonly starts: readonly number[]
}

/**
 * The joined texts of chunks, which are immutable and shared by versions. A chunk is joined at its second search, because
 * most are searched once.
 */
const texts = new WeakMap<readonly Line[], ChunkText | 'searched'>()

/** The joined text; null at the first search of a chunk. */
function chunkText(chunk: readonly Line[]): ChunkText | null {
  const known = texts.get(chunk)
  if (known === undefined) {
    texts.set(chunk, 'searched')
    return null
  }
  return known === 'searched' ? joinedText(chunk) : known
}

function joinedText(chunk: readonly Line[]): ChunkText {
  const starts: number[] = []
  let length = 0
  const lines = chunk.map((line) => {
    const text = withoutReturn(line.text)
    starts.push(length)
    length += text.length + 1
    return text
  })
  const joined = { text: lines.join('\n'), starts }
  texts.set(chunk, joined)
  return joined
}

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
    const joined = isShort ? null : chunkText(chunk)
    if (joined === null) findInLines(chunk, part, before, places)
    else findInText(joined, part, before, places)
    before += chunk.length
  }
  return places
}

function findInLines(
  chunk: readonly Line[],
  part: string,
  before: number,
  places: PartPlace[],
): void {
  // A part that does not end with a carriage return cannot match the one that ends a line.
  const isPlain = !part.endsWith('\r')
  for (let line = 0; line < chunk.length; line++) {
    const own = (chunk[line] as Line).text
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
