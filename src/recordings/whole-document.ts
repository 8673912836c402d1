import { decodeUtf8 } from './decode-utf8.ts'

/** The bytes between two consecutive pretty-printed values. */
const betweenValues = Buffer.from('\n}\n{')
const brace = 0x7b
const bracket = 0x5b

/**
 * Buffers the chunks of a file while it can be one pretty-printed document, which is faster to parse whole than line by
 * line. When `take` returns false, the caller gets the chunks back with `release` and splits them into lines.
 */
export class WholeDocument {
  #chunks: Buffer[] = []
  #size = 0

  /** False if the file is not a single document: its first line is not just a bracket, or a second value starts. */
  take(chunk: Uint8Array): boolean {
    // Copied, because the caller may reuse the chunk's memory.
    const bytes = Buffer.from(chunk)
    this.#chunks.push(bytes)
    this.#size += bytes.length
    if (this.#chunks.length === 1 && !startsWithLoneBracket(bytes)) return false
    return !bytes.includes(betweenValues)
  }

  release(): readonly Uint8Array[] {
    const chunks = this.#chunks
    this.#chunks = []
    return chunks
  }

  /** The document's value, or undefined if it is not JSON. The chunks stay available to `release`. */
  parse(): unknown {
    const [only] = this.#chunks
    const whole = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.#size)
    this.#chunks = [whole]
    try {
      return JSON.parse(decodeUtf8(whole))
    } catch {
      return undefined
    }
  }
}

function startsWithLoneBracket(bytes: Uint8Array): boolean {
  if (bytes[0] !== brace && bytes[0] !== bracket) return false
  return bytes[1] === 0x0a || (bytes[1] === 0x0d && bytes[2] === 0x0a)
}
