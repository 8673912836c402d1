import { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { Decompress } from 'fzstd'

/** Node has zstd since 22.15. Before that, it is unpacked in JavaScript. */
const own =
  typeof zlib.zstdDecompress === 'function'
    ? (promisify(zlib.zstdDecompress) as (
        bytes: Buffer,
        options: object,
      ) => Promise<Buffer<ArrayBuffer>>)
    : null

/** The limit of Node's own decompressor. A larger window would be allocated before anything is read. */
const largestWindowBytes = 128 * 1024 * 1024
/** Bytes are unpacked in pieces, so that an output that grows too large is noticed early. */
const pieceBytes = 64 * 1024

/** Rejects when it is not zstd, or longer than the limit. */
export async function unpackZstd(
  bytes: Buffer,
  { maxOutputLength }: { readonly maxOutputLength: number },
): Promise<Buffer<ArrayBuffer>> {
  return own === null ? unpackInJavaScript(bytes, maxOutputLength) : own(bytes, { maxOutputLength })
}

/** The same for a stream. */
export function createZstdUnpacker(): Transform {
  return typeof zlib.createZstdDecompress === 'function'
    ? zlib.createZstdDecompress()
    : transformInJavaScript()
}

export function unpackInJavaScript(bytes: Buffer, maxOutputLength: number): Buffer<ArrayBuffer> {
  if (!hasUsualWindows(bytes)) throw new Error('not zstd, or one that needs too much memory')
  const parts: Uint8Array[] = []
  let length = 0
  const decompress = new Decompress((part) => {
    length += part.length
    if (length > maxOutputLength) throw new RangeError('longer than allowed')
    parts.push(part)
  })
  for (let at = 0; at < bytes.length; at += pieceBytes)
    decompress.push(bytes.subarray(at, at + pieceBytes), at + pieceBytes >= bytes.length)
  return Buffer.concat(parts)
}

function transformInJavaScript(): Transform {
  let decompress: Decompress | null = null
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        decompress ??= new Decompress((part) => void this.push(part))
        decompress.push(chunk)
        done()
      } catch (fault) {
        done(fault as Error)
      }
    },
  })
}

/** Reads the frame headers (RFC 8878, 3.1) without unpacking. False when they do not end where the bytes end. */
function hasUsualWindows(bytes: Buffer): boolean {
  let at = 0
  while (at < bytes.length) {
    const end = frameEnd(bytes, at)
    if (end === null || end > bytes.length) return false
    at = end
  }
  return bytes.length > 0
}

function frameEnd(bytes: Buffer, start: number): number | null {
  if (start + 8 > bytes.length) return null
  const magic = bytes.readUInt32LE(start)
  if (magic >>> 4 === 0x184d2a5) return start + 8 + bytes.readUInt32LE(start + 4)
  if (magic !== 0xfd2fb528) return null
  const flags = bytes[start + 4] as number
  const isSingle = (flags & 0x20) !== 0
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] as number
  const sizeAt = start + (isSingle ? 5 : 6) + ([0, 1, 2, 4][flags & 3] as number)
  const window = isSingle ? contentBytes(bytes, sizeAt, sizeBytes) : windowBytes(bytes[start + 5])
  if (window > largestWindowBytes) return null
  let at = sizeAt + sizeBytes
  for (let isLast = false; !isLast; ) {
    if (at + 3 > bytes.length) return null
    const header = bytes.readUIntLE(at, 3)
    isLast = (header & 1) === 1
    // A run-length block has a single byte.
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3)
  }
  return at + ((flags & 4) !== 0 ? 4 : 0)
}

function contentBytes(bytes: Buffer, at: number, length: number): number {
  if (at + length > bytes.length) return Number.POSITIVE_INFINITY
  return length === 8 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUIntLE(at, length)
}

function windowBytes(descriptor = 0): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}
