import { TextDecoder } from 'node:util'

const newline = 0x0a
/** Keeps byte order marks, because a line may start anywhere in the file. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Splits the chunks of a file into lines, without their `\n`. Bytes are UTF-8, or UTF-16 if a byte order mark or a zero
 * next to the first bracket shows it. UTF-8 is split before it is decoded, so no character is cut in two.
 */
export class TextLines {
  readonly #take: (line: string) => void
  /** The start of the current line, as bytes or as text, never both. */
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

  /** Emits the last line, which has no `\n`. It is empty if the file ends with `\n`. */
  end(): void {
    if (this.#wide) this.#pushText(this.#wide.decode())
    this.#turnToText()
    const line = this.#text.join('')
    this.#text = []
    this.#take(line)
  }

  /** Detects the encoding from the first two bytes. */
  #start(chunk: Uint8Array): void {
    const bytes = this.#bytes.length > 0 ? Buffer.concat([...this.#bytes, chunk]) : chunk
    if (bytes.length < 2) {
      this.#bytes = [new Uint8Array(bytes)]
      return
    }
    this.#bytes = []
    this.#started = true
    const [first = 0, second = 0] = bytes
    if ((first === 0xff && second === 0xfe) || (isOpeningBracket(first) && second === 0))
      this.#wide = new TextDecoder('utf-16le')
    else if ((first === 0xfe && second === 0xff) || (first === 0 && isOpeningBracket(second)))
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
        this.#take(utf8.decode(whole))
      } else if (this.#text.length > 0) {
        this.#text.push(utf8.decode(bytes.subarray(start, end)))
        const line = this.#text.join('')
        this.#text = []
        this.#take(line)
      } else this.#take(utf8.decode(bytes.subarray(start, end)))
      start = end + 1
    }
    // Copied, because the caller may reuse the chunk's memory.
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
    this.#text.push(utf8.decode(Buffer.concat(this.#bytes)))
    this.#bytes = []
  }
}

function isOpeningBracket(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b
}
