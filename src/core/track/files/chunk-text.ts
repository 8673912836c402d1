import type { Line, LineList } from './line-list.ts'
import { withoutReturn } from './shown-text.ts'

/** A chunk's lines as one text to search in, with the place where each begins. */
interface ChunkText {
  readonly text: string
  readonly starts: readonly number[]
}

/** Chunks never change, and versions share them: each is joined once, however often it is searched. */
const texts = new WeakMap<readonly Line[], ChunkText>()

function chunkText(chunk: readonly Line[]): ChunkText {
  const known = texts.get(chunk)
  if (known !== undefined) return known
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

/** Where a text without line breaks stands in a line: the line's index in the list, and the column. */
export interface PartPlace {
  readonly line: number
  readonly column: number
}

/** Every place of such a text, in order and without overlaps. */
export function* partPlaces(list: LineList, part: string): Generator<PartPlace> {
  let before = 0
  for (const chunk of list.chunks) {
    const { text, starts } = chunkText(chunk)
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
      const line = lineOf(starts, at)
      yield { line: before + line, column: at - (starts[line] as number) }
    }
    before += chunk.length
  }
}

function lineOf(starts: readonly number[], at: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= at) low = middle
    else high = middle - 1
  }
  return low
}
