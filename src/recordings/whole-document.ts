import { decodeUtf8 } from './decode-utf8.ts'

/** What stands between two pretty-printed values that follow each other. */
const betweenValues = Buffer.from('\n}\n{')
const brace = 0x7b
const bracket = 0x5b

/**
 * Holds the chunks of a file for as long as it may be one pretty-printed document, which is cheaper to parse whole than
 * to frame line by line. `take` says whether it may still be; once it may not, the chunks are `release`d to be framed.
 */
export class WholeDocument {
  #chunks: Buffer[] = []
  #size = 0

  /** False when the file is not a single document: it does not start with a lone bracket, or a second value begins. */
  take(chunk: Uint8Array): boolean {
    // A copy: the owner of a chunk may fill it anew once it has been taken.
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

  /** The document's value, or undefined when it is not JSON. Its bytes stay until they are released. */
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
