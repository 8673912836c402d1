import { TextDecoder } from 'node:util'
import { decodeUtf8 } from './decode-utf8.ts'

const newline = 0x0a

/**
 * Cuts the chunks of a file into lines, without their `\n`. Bytes are UTF-8, split anywhere, or UTF-16 where a byte order
 * mark or a zero beside the first bracket says so. Bytes are cut before they are decoded: no character is ever torn, and a line of plain ASCII costs one
 * byte a character, whatever stands in the lines around it.
 */
export class TextLines {
  readonly #take: (line: string) => void
  /** What came of a line whose end has not come yet: bytes or text, never both. */
  #bytes: Uint8Array[] = []
  #text: string[] = []
  #wide: TextDecoder | null = null
  #started = false

  constructor(take: (line: string) => void) {
    this.#take = take
  }

  push(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') {
      this.#started = true
      this.#turnToText()
      this.#pushText(chunk)
    } else if (this.#wide) this.#pushText(this.#wide.decode(chunk, { stream: true }))
    else if (this.#started) this.#pushBytes(chunk)
    else this.#start(chunk)
  }

  /** Gives the last line, which has no `\n`; it is empty when the file ends with one. */
  end(): void {
    if (this.#wide) this.#pushText(this.#wide.decode())
    this.#turnToText()
    const line = this.#text.join('')
    this.#text = []
    this.#take(line)
  }

  /** Two bytes decide the encoding. */
  #start(chunk: Uint8Array): void {
    const bytes = this.#bytes.length > 0 ? Buffer.concat([...this.#bytes, chunk]) : chunk
    if (bytes.length < 2) {
      this.#bytes = [new Uint8Array(bytes)]
      return
    }
    this.#bytes = []
    this.#started = true
    const [first = 0, second = 0] = bytes
    if ((first === 0xff && second === 0xfe) || (opens(first) && second === 0))
      this.#wide = new TextDecoder('utf-16le')
    else if ((first === 0xfe && second === 0xff) || (first === 0 && opens(second)))
      this.#wide = new TextDecoder('utf-16be')
    this.push(bytes)
  }

  #pushBytes(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (;;) {
      const end = bytes.indexOf(newline, start)
      if (end === -1) break
      if (this.#bytes.length > 0) {
        this.#bytes.push(bytes.subarray(start, end))
        const whole = Buffer.concat(this.#bytes)
        this.#bytes = []
        this.#take(decodeUtf8(whole))
      } else if (this.#text.length > 0) {
        this.#text.push(decodeUtf8(bytes.subarray(start, end)))
        const line = this.#text.join('')
        this.#text = []
        this.#take(line)
      } else this.#take(decodeUtf8(bytes.subarray(start, end)))
      start = end + 1
    }
    // A copy: the owner of a chunk may fill it anew once it has been taken.
    if (start < bytes.length) this.#bytes.push(new Uint8Array(bytes.subarray(start)))
  }

  #pushText(text: string): void {
    let start = 0
    for (;;) {
      const end = text.indexOf('\n', start)
      if (end === -1) break
      this.#text.push(text.slice(start, end))
      const line = this.#text.length === 1 ? this.#text[0]! : this.#text.join('')
      this.#text = []
      this.#take(line)
      start = end + 1
    }
    if (start < text.length) this.#text.push(text.slice(start))
  }

  #turnToText(): void {
    if (this.#bytes.length === 0) return
    this.#text.push(decodeUtf8(Buffer.concat(this.#bytes)))
    this.#bytes = []
  }
}

function opens(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b
}
