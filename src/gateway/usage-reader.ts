import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { createParser } from 'eventsource-parser'
import { parseJson } from '../core/words/json.ts'
import { type AnswerUsage, type PartialUsage, takeUsage, wholeUsage } from './usage.ts'
import { createZstdUnpacker } from './zstd.ts'

/** Listens to an answer that passes by, and never holds it up. */
export interface UsageReader {
  take(chunk: Buffer): void
  /** What was said by the end; null when nothing was. */
  end(): Promise<AnswerUsage | null>
}

/** Plain answers are kept to be parsed at their end; a longer one has said what matters elsewhere, or nothing. */
const longestPlainBytes = 8 * 1024 * 1024
/** Only events that have these words are parsed. */
const telling = /"usage(Metadata)?"\s*:/

export function createUsageReader(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): UsageReader {
  const listener = /event-stream/i.test(contentType ?? '') ? streamListener() : plainListener()
  const unpacking = unpackerFor(contentEncoding)
  if (unpacking === 'none') return { ...listener, end: async () => listener.end() }
  if (unpacking === null) return { take() {}, end: async () => null }
  return throughUnpacker(unpacking, listener)
}

interface Listener {
  take(chunk: Buffer): void
  end(): AnswerUsage | null
}

function streamListener(): Listener {
  const figures: PartialUsage = {}
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ data }) => {
      if (telling.test(data)) takeUsage(parseJson(data), figures)
    },
  })
  return {
    take: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    end() {
      parser.reset({ consume: true })
      return wholeUsage(figures)
    },
  }
}

function plainListener(): Listener {
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
      const figures: PartialUsage = {}
      const answer = parseJson(Buffer.concat(parts).toString('utf8'))
      // Gemini streams a list of answers when it is not asked for events.
      for (const each of Array.isArray(answer) ? answer : [answer]) takeUsage(each, figures)
      return wholeUsage(figures)
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
