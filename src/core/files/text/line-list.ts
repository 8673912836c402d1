/**
 * A line of a file with an identity that survives edits around it. `stamp` is when it was last seen or written; the line
 * is certain as long as the file cannot have changed since.
 */
export interface Line {
  readonly id: number
  readonly text: string
  readonly stamp: number
  /** When the agent last wrote it or the text around it; 0 for a line that it only saw. */
  readonly written: number
}

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
  readonly chunks: readonly (readonly Line[])[]
}

export function lineList(lines: readonly Line[]): LineList {
  const chunks: (readonly Line[])[] = []
  for (let start = 0; start < lines.length; start += chunkSize) {
    chunks.push(lines.slice(start, start + chunkSize))
  }
  return { length: lines.length, chunks }
}

/** The line at an index from 0, or undefined past the ends. */
export function lineAt(list: LineList, index: number): Line | undefined {
  if (index < 0) return undefined
  let left = index
  for (const chunk of list.chunks) {
    if (left < chunk.length) return chunk[left]
    left -= chunk.length
  }
  return undefined
}

/** The lines from `start` up to but not including `end`. */
export function linesBetween(list: LineList, start: number, end: number): readonly Line[] {
  const found: Line[] = []
  let before = 0
  for (const chunk of list.chunks) {
    if (before >= end) break
    if (before + chunk.length > start)
      found.push(...chunk.slice(Math.max(0, start - before), end - before))
    before += chunk.length
  }
  return found
}

export function allLines(list: LineList): readonly Line[] {
  return list.chunks.flat()
}

/** Replaces `removed` lines from `start` on with `added`. */
export function spliceLines(
  list: LineList,
  start: number,
  removed: number,
  added: readonly Line[],
): LineList {
  const end = start + removed
  const chunksBefore: (readonly Line[])[] = []
  const chunksAfter: (readonly Line[])[] = []
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
      head.push(...chunk.slice(0, Math.max(0, start - before)))
      tail.push(...chunk.slice(Math.max(0, end - before)))
    }
    before = after
  }
  const middle = lineList(head.concat(added, tail))
  return {
    length: list.length - removed + added.length,
    chunks: [...chunksBefore, ...middle.chunks, ...chunksAfter],
  }
}

export function joinLists(lists: readonly LineList[]): LineList {
  if (lists.length === 1) return lists[0] as LineList
  const chunks = lists.flatMap((list) => list.chunks)
  const length = lists.reduce((sum, list) => sum + list.length, 0)
  // Many small adjacent reads must not leave a list of tiny chunks.
  return chunks.length > 8 && chunks.length > (length / chunkSize) * 4
    ? lineList(chunks.flat())
    : { length, chunks }
}
