import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { createParser } from 'eventsource-parser'
import { arrayOf, isJsonObject, parseJson } from '../core/words/json.ts'
import type { BodyFormatName } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { type AnswerUsage, type PartialUsage, wholeUsage } from '../formats/usage.ts'
import type { Wire } from '../formats/wire.ts'
import { createZstdUnpacker } from './zstd.ts'

/** Reads the usage of an answer while it is passed on, without delaying it. */
export interface UsageReader {
  take(chunk: Buffer): void
  /** null when the answer reported none. */
  end(): Promise<AnswerUsage | null>
}

/** An answer that is not streamed is kept until its end; a longer one than this is not read. */
const longestPlainBytes = 8 * 1024 * 1024

export function createUsageReader(
  format: BodyFormatName | null,
  contentType: string | undefined,
  contentEncoding: string | undefined,
): UsageReader {
  const unpacking = unpackerFor(contentEncoding)
  if (format === null || unpacking === null) return { take() {}, end: async () => null }
  const { wire } = bodyFormats[format]
  const isStream = /event-stream/i.test(contentType ?? '')
  const listener = isStream ? streamListener(wire) : plainListener(wire)
  if (unpacking === 'none') return { ...listener, end: async () => listener.end() }
  return throughUnpacker(unpacking, listener)
}

interface Listener {
  take(chunk: Buffer): void
  end(): AnswerUsage | null
}

function streamListener(wire: Wire): Listener {
  const reported: PartialUsage = {}
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = parseJson(data)
      if (isJsonObject(event)) wire.takeUsage(event, reported)
    },
  })
  return {
    take: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    end() {
      parser.reset({ consume: true })
      return wholeUsage(reported)
    },
  }
}

function plainListener(wire: Wire): Listener {
  let parts: Buffer[] = []
  let length = 0
  return {
    take(chunk) {
      length += chunk.length
      if (length > longestPlainBytes) parts = []
      else parts.push(chunk)
    },
    end() {
      if (length === 0 || length > longestPlainBytes) return null
      const reported: PartialUsage = {}
      const answer = parseJson(Buffer.concat(parts).toString('utf8'))
      // A streamed answer is a list when the client did not ask for events.
      for (const each of isJsonObject(answer) ? [answer] : arrayOf(answer)) {
        if (isJsonObject(each)) wire.takeUsage(each, reported)
      }
      return wholeUsage(reported)
    },
  }
}

/** null: this runtime cannot unpack it. */
function unpackerFor(encoding: string | undefined): Transform | 'none' | null {
  switch ((encoding ?? 'identity').trim().toLowerCase()) {
    case '':
    case 'identity':
      return 'none'
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip()
    case 'deflate':
      return zlib.createInflate()
    case 'br':
      return zlib.createBrotliDecompress()
    case 'zstd':
      return createZstdUnpacker()
    default:
      return null
  }
}

function throughUnpacker(unpacker: Transform, listener: Listener): UsageReader {
  const over = new Promise<void>((resolve) => {
    unpacker.on('data', (chunk: Buffer) => listener.take(chunk))
    unpacker.on('error', () => resolve())
    unpacker.on('end', () => resolve())
  })
  return {
    take: (chunk) => void unpacker.write(chunk),
    async end() {
      unpacker.end()
      await over
      return listener.end()
    },
  }
}
