import * as buffer from 'node:buffer'
import { TextDecoder } from 'node:util'

const decoder = new TextDecoder()
/** Below this many bytes `TextDecoder` is faster. */
const transcodeFromBytes = 512

/**
 * UTF-8 bytes as text; invalid bytes become U+FFFD. Transcoding to UTF-16 takes half the time of a `TextDecoder` for text
 * that is not ASCII, but throws on some input and is missing in some runtimes.
 */
export function decodeUtf8(bytes: Buffer): string {
  if (bytes.length < transcodeFromBytes) return decoder.decode(bytes)
  if (buffer.isAscii(bytes)) return bytes.toString('latin1')
  try {
    return buffer.transcode(bytes, 'utf8', 'ucs2').toString('ucs2')
  } catch {
    return decoder.decode(bytes)
  }
}
