import { withoutReturn } from './shown-text.ts'

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

/** A chunk's lines as one text to search in, with the position where each line begins. */
export interface ChunkText {
  readonly text: string
  readonly starts: readonly number[]
}

/** Immutable lines that several versions of a file share. */
export class Chunk {
  readonly lines: readonly Line[]
  #isSearched = false
  #joined: ChunkText | null = null

  /** Takes over an array that must not change any more. */
  constructor(lines: readonly Line[]) {
    this.lines = lines
  }

  get length(): number {
    return this.lines.length
  }

  /** The lines joined; null at the first search, because most chunks are searched once. */
  textToSearch(): ChunkText | null {
    if (this.#isSearched) this.#joined ??= joinedText(this.lines)
    this.#isSearched = true
    return this.#joined
  }
}

function joinedText(lines: readonly Line[]): ChunkText {
  const starts: number[] = []
  let length = 0
  const texts = lines.map((line) => {
    const text = withoutReturn(line.text)
    starts.push(length)
    length += text.length + 1
    return text
  })
  return { text: texts.join('\n'), starts }
}
