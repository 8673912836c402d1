import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { BodyFormatName } from '../formats/format.ts'
import type { Identity } from '../session/identity.ts'
import type { BodyShare } from './body-budget.ts'
import type { ForwardedBody } from './forward.ts'
import { identityOf } from './identity.ts'
import { largestBodyBytes } from './limits.ts'
import { unpackZstd } from './zstd.ts'

/** A request for a model whose body has arrived. */
export type Received =
  | {
      readonly kind: 'readable'
      /** The body as it came, and without its compression. */
      readonly bytes: Buffer
      readonly unpacked: Buffer<ArrayBuffer>
      readonly identity: Identity
    }
  /** It has to be forwarded without being read. */
  | { readonly kind: 'unreadable'; readonly body: ForwardedBody; readonly reason: string }

/** The bypass reason when the gateway is overloaded. */
export const busyReason = 'busy'

/** Reads a request's body. Rejects when the client disconnects before its end. */
export async function receive(
  request: IncomingMessage,
  format: BodyFormatName,
  share: BodyShare,
): Promise<Received> {
  const { headers, url = '/' } = request
  const collected = await collectBody(request, share)
  if (collected.kind === 'refused') {
    const body = { kind: 'stream', begin: collected.begin } as const
    return { kind: 'unreadable', body, reason: collected.reason }
  }
  const { bytes } = collected
  const decoded = await decodeBody(bytes, headers['content-encoding'])
  if (decoded.kind === 'refused')
    return { kind: 'unreadable', body: { kind: 'original', bytes }, reason: decoded.reason }
  const unpacked = decoded.bytes
  const identity = identityOf({ headers, url, format, body: unpacked })
  return { kind: 'readable', bytes, unpacked, identity }
}

type CollectedBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer<ArrayBuffer> }
  /** What came before a limit was reached. The rest is still to come. */
  | { readonly kind: 'refused'; readonly begin: Buffer; readonly reason: string }

function collectBody(request: IncomingMessage, share: BodyShare): Promise<CollectedBody> {
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
      const isTooLarge = length > largestBodyBytes
      if (!isTooLarge && share.take(part.length)) return
      request.pause()
      const reason = isTooLarge ? 'the body is too large' : busyReason
      finish({ kind: 'refused', begin: Buffer.concat(parts), reason })
    }
    request.on('data', take).on('end', end).on('error', fail).on('close', fail)
  })
}

type Decompress = (
  bytes: Buffer,
  options: { maxOutputLength: number },
) => Promise<Buffer<ArrayBuffer>>

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: promisify(zlib.gunzip) as Decompress,
  'x-gzip': promisify(zlib.gunzip) as Decompress,
  deflate: promisify(zlib.inflate) as Decompress,
  br: promisify(zlib.brotliDecompress) as Decompress,
  zstd: unpackZstd,
}

type DecodedBody =
  | { readonly kind: 'text'; readonly bytes: Buffer<ArrayBuffer> }
  | { readonly kind: 'refused'; readonly reason: string }

async function decodeBody(
  bytes: Buffer<ArrayBuffer>,
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
