import { Buffer, isAscii, isUtf8 } from 'node:buffer'
import { partitionPoint } from '../../core/words/partition-point.ts'
import type { Body } from '../format.ts'

/**
 * A section of a body as text for scanning. Offsets are those of the body: characters of a string, bytes of a buffer.
 * Bytes are scanned as Latin-1, so only the values that are read have to be decoded.
 */
export interface Document {
  readonly scan: string
  /** The offset in the body of `scan`'s first character. */
  readonly base: number
  /** The text between two positions of `scan`. It may share memory with the body. */
  text(start: number, end: number): string
  /** The same as a copy, for texts that outlive the body. */
  copy(start: number, end: number): string
}

/** The section of a body from `from` to `to`. Bytes must be valid UTF-8. */
export function openDocument(body: Body, from: number, to: number): Document {
  if (typeof body === 'string') {
    const scan = from === 0 && to === body.length ? body : body.slice(from, to)
    return {
      scan,
      base: from,
      text: (start, end) => scan.slice(start, end),
      copy: (start, end) => copyOf(scan.slice(start, end)),
    }
  }
  const bytes = asBuffer(body)
  const scan = bytes.toString('latin1', from, to)
  const decode = (start: number, end: number): string =>
    bytes.toString('utf8', from + start, from + end)
  return {
    scan,
    base: from,
    // ASCII text needs no decoding.
    text: (start, end) =>
      isAscii(bytes.subarray(from + start, from + end))
        ? scan.slice(start, end)
        : decode(start, end),
    copy: decode,
  }
}

/** Copies a string, because a slice keeps the whole body in memory. */
function copyOf(slice: string): string {
  return JSON.parse(JSON.stringify(slice)) as string
}

/** The same bytes as a Buffer, without copying. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * How many leading characters or bytes two bodies share; 0 if one is a string and the other is not. A binary search with
 * native comparisons.
 */
export function commonPrefixLength(one: Body, other: Body): number {
  const equal = comparison(one, other)
  if (equal === null) return 0
  const shorter = Math.min(one.length, other.length)
  if (equal(0, shorter)) return shorter
  return partitionPoint(shorter, (index, low) => equal(low, index + 1))
}

function comparison(one: Body, other: Body): ((start: number, end: number) => boolean) | null {
  if (typeof one === 'string') {
    if (typeof other !== 'string') return null
    return (start, end) => one.slice(start, end) === other.slice(start, end)
  }
  if (typeof other === 'string') return null
  const left = asBuffer(one)
  const right = asBuffer(other)
  return (start, end) => left.compare(right, start, end, start, end) === 0
}

/** The offset of the first byte from `from` on that is not UTF-8, or -1. `from` must not be inside a character. */
export function findInvalidUtf8(bytes: Uint8Array, from: number): number {
  if (isUtf8(bytes.subarray(from))) return -1
  let position = from
  while (position < bytes.length) {
    const width = characterWidth(bytes[position]!)
    if (width === 0 || position + width > bytes.length) return position
    if (width > 1 && !isUtf8(bytes.subarray(position, position + width))) return position
    position += width
  }
  return position
}

function characterWidth(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xc2) return 0
  if (lead < 0xe0) return 2
  if (lead < 0xf0) return 3
  return lead < 0xf5 ? 4 : 0
}
