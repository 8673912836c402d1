import { Chunk, type Line } from './chunk.ts'

export type { Line } from './chunk.ts'

export function withStamp(line: Line, stamp: number): Line {
  return { ...line, stamp }
}

const chunkSize = 128

/**
 * An immutable list of lines. A changed list shares its unchanged chunks with the old one, and keeping many versions
 * of a long file takes little memory.
 */
export interface LineList {
  readonly length: number
  readonly chunks: readonly Chunk[]
}

export const noLines: LineList = { length: 0, chunks: [] }

export function lineList(lines: readonly Line[]): LineList {
  return chunked(lines.slice())
}

/** Takes over an array that must not change any more. */
function chunked(lines: readonly Line[]): LineList {
  if (lines.length === 0) return noLines
  if (lines.length <= chunkSize) return { length: lines.length, chunks: [new Chunk(lines)] }
  const chunks: Chunk[] = []
  for (let start = 0; start < lines.length; start += chunkSize) {
    chunks.push(new Chunk(lines.slice(start, start + chunkSize)))
  }
  return { length: lines.length, chunks }
}

/** The line at an index from 0, or undefined past the ends. */
export function lineAt(list: LineList, index: number): Line | undefined {
  if (index < 0) return undefined
  let left = index
  for (const chunk of list.chunks) {
    if (left < chunk.length) return chunk.lines[left]
    left -= chunk.length
  }
  return undefined
}

/** The lines from `start` up to but not including `end`. */
export function linesBetween(list: LineList, start: number, end: number): readonly Line[] {
  const only = list.chunks.length === 1 ? (list.chunks[0] as Chunk).lines : null
  if (only !== null) {
    return start <= 0 && end >= only.length
      ? only
      : only.slice(Math.max(0, start), Math.max(0, end))
  }
  const found: Line[] = []
  let before = 0
  for (const chunk of list.chunks) {
    if (before >= end) break
    if (before + chunk.length > start) {
      const part =
        start <= before && end >= before + chunk.length
          ? chunk.lines
          : chunk.lines.slice(Math.max(0, start - before), end - before)
      for (const line of part) found.push(line)
    }
    before += chunk.length
  }
  return found
}

export function allLines(list: LineList): readonly Line[] {
  const [first = [], ...others] = list.chunks.map(({ lines }) => lines)
  return others.length === 0 ? first : first.concat(...others)
}

/** Replaces `removed` lines from `start` on with `added`. */
export function spliceLines(
  list: LineList,
  start: number,
  removed: number,
  added: readonly Line[],
): LineList {
  const [only] = list.chunks
  if (only !== undefined && list.chunks.length === 1 && removed === added.length) {
    return { length: list.length, chunks: [overwritten(only, start, added)] }
  }
  const end = start + removed
  const chunksBefore: Chunk[] = []
  const chunksAfter: Chunk[] = []
  const head: Line[] = []
  const tail: Line[] = []
  let before = 0
  for (const chunk of list.chunks) {
    const after = before + chunk.length
    // A short chunk next to the change is merged with the new lines, so that chunks do not become tiny.
    if (after < start || (after === start && chunk.length > chunkSize / 2)) chunksBefore.push(chunk)
    else if (before > end || (before === end && chunk.length > chunkSize / 2)) {
      chunksAfter.push(chunk)
    } else {
      for (let at = 0; at < Math.min(chunk.length, start - before); at++) {
        head.push(chunk.lines[at] as Line)
      }
      for (let at = Math.max(0, end - before); at < chunk.length; at++)
        tail.push(chunk.lines[at] as Line)
    }
    before = after
  }
  for (const line of added) head.push(line)
  for (const line of tail) head.push(line)
  const middle = chunked(head)
  return {
    length: list.length - removed + added.length,
    chunks: [...chunksBefore, ...middle.chunks, ...chunksAfter],
  }
}

function overwritten(chunk: Chunk, start: number, added: readonly Line[]): Chunk {
  const lines = chunk.lines.slice()
  for (let at = 0; at < added.length; at++) lines[start + at] = added[at] as Line
  return new Chunk(lines)
}

export function joinLists(lists: readonly LineList[]): LineList {
  if (lists.length === 1) return lists[0] as LineList
  const chunks = lists.flatMap((list) => list.chunks)
  const length = lists.reduce((sum, list) => sum + list.length, 0)
  // Many small adjacent reads must not leave a list of tiny chunks.
  return chunks.length > 8 && chunks.length > (length / chunkSize) * 4
    ? lineList(chunks.flatMap(({ lines }) => lines))
    : { length, chunks }
}
