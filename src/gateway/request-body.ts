import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { unpackZstd } from './zstd.ts'

/** A request's body as it came. */
export type CollectedBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** More than is worth holding: what came so far, and the rest still to come. */
  | { readonly kind: 'large'; readonly begin: Buffer }

/** No provider takes more. */
export const largestBodyBytes: number = 64 * 1024 * 1024

/** Reads a body into memory, up to a limit. Rejects when the client gives up before its end. */
export function collectBody(
  request: IncomingMessage,
  limit: number = largestBodyBytes,
): Promise<CollectedBody> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new Error('the client went away'))
    const parts: Buffer[] = []
    let length = 0
    const finish = (body: CollectedBody): void => {
      request.off('data', take).off('end', end).off('error', fail).off('close', fail)
      resolve(body)
    }
    const fail = (error?: Error): void => reject(error ?? new Error('the client went away'))
    const end = (): void => finish({ kind: 'whole', bytes: Buffer.concat(parts) })
    const take = (part: Buffer): void => {
      parts.push(part)
      length += part.length
      if (length <= limit) return
      request.pause()
      finish({ kind: 'large', begin: Buffer.concat(parts) })
    }
    request.on('data', take).on('end', end).on('error', fail).on('close', fail)
  })
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: promisify(zlib.gunzip) as Decompress,
  'x-gzip': promisify(zlib.gunzip) as Decompress,
  deflate: promisify(zlib.inflate) as Decompress,
  br: promisify(zlib.brotliDecompress) as Decompress,
  zstd: unpackZstd,
}

export type DecodedBody =
  | { readonly kind: 'text'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly reason: string }

/** The body without its compression. */
export async function decodeBody(
  bytes: Buffer,
  encoding: string | undefined,
): Promise<DecodedBody> {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  let decoded = bytes
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity') continue
    const decompress = Object.hasOwn(decompressors, name) ? decompressors[name] : undefined
    if (decompress === undefined) return { kind: 'refused', reason: `cannot unpack ${name}` }
    try {
      decoded = await decompress(decoded, { maxOutputLength: largestBodyBytes })
    } catch {
      return { kind: 'refused', reason: `not ${name}` }
    }
  }
  return { kind: 'text', bytes: decoded }
}
