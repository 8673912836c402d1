import { Buffer } from 'node:buffer'
import type { Body } from '../format.ts'
import { asBuffer } from './document.ts'

/** Replaces the text between two offsets of a body. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A member of a comma-separated list. */
export interface ListedSpan {
  readonly start: number
  readonly end: number
}

/** The edits that remove members of a list together with their commas. At least one member must remain. */
export function removeFromList(
  spans: readonly ListedSpan[],
  removed: ReadonlySet<number>,
): readonly Edit[] {
  const edits: Edit[] = []
  for (const first of [...removed].sort((one, other) => one - other)) {
    if (removed.has(first - 1)) continue
    let last = first
    while (removed.has(last + 1)) last++
    const before = spans[first - 1]
    const after = spans[last + 1]
    if (before !== undefined) edits.push({ start: before.end, end: spans[last]!.end, text: '' })
    else if (after !== undefined) {
      edits.push({ start: spans[first]!.start, end: after.start, text: '' })
    }
  }
  return edits
}

/**
 * Applies the edits and leaves all other bytes unchanged. The result has the type of the body: text, Buffer or plain
 * bytes. The edits must not overlap; without edits it is the same value. With `from`, returns only the part after that
 * offset, and all edits must be in it.
 */
export function splice(body: Body, edits: readonly Edit[], from = 0): Body {
  if (edits.length === 0) return from === 0 ? body : partFrom(body, from)
  const ordered = [...edits].sort((one, other) => one.start - other.start || one.end - other.end)
  if (typeof body === 'string') {
    const pieces: string[] = []
    let position = from
    for (const edit of ordered) {
      pieces.push(body.slice(position, edit.start), edit.text)
      position = edit.end
    }
    pieces.push(body.slice(position))
    return pieces.join('')
  }
  const source = asBuffer(body)
  const pieces: Uint8Array[] = []
  let position = from
  for (const edit of ordered) {
    pieces.push(source.subarray(position, edit.start), Buffer.from(edit.text, 'utf8'))
    position = edit.end
  }
  pieces.push(source.subarray(position))
  const spliced = Buffer.concat(pieces)
  return Buffer.isBuffer(body)
    ? spliced
    : new Uint8Array(spliced.buffer, spliced.byteOffset, spliced.byteLength)
}

function partFrom(body: Body, from: number): Body {
  return typeof body === 'string' ? body.slice(from) : body.subarray(from)
}
