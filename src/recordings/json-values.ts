/**
 * Receives the JSON values of a text: one per line, several on one line, spread over many lines, or any mix. Text that
 * is not valid JSON is reported and skipped.
 */
export interface JsonValueSink {
  /** `line` is the line on which the value starts, from 1. */
  value(value: unknown, line: number): void
  /** `unfinished` returns the text of an incomplete value, from its start. */
  damage(line: number, message: string, unfinished?: () => string): void
}

interface OpenDocument {
  readonly line: number
  readonly lines: string[]
  depth: number
}

/** Result of a scan that looks at brackets and strings only; `JSON.parse` checks the rest. */
interface Scan {
  /** Where the value ends, or -1 if it is still open. */
  readonly end: number
  readonly depth: number
  readonly insideString: boolean
}

const quote = 0x22
const backslash = 0x5c
const mostSalvageAttempts = 200

/** Splits lines of text into JSON values. */
export class JsonValues {
  readonly #sink: JsonValueSink
  #line = 1
  #document: OpenDocument | null = null

  constructor(sink: JsonValueSink) {
    this.#sink = sink
  }

  /** Takes the next line, without its line ending. */
  line(text: string): void {
    if (this.#document) this.#continueDocument(this.#document, text)
    else this.#startLine(text)
    this.#line += 1
  }

  /** Ends the text: a value that is still open is reported. */
  end(): void {
    if (this.#document) this.#abandon(this.#document, 'the value is not finished')
  }

  #startLine(raw: string): void {
    if (raw === '') return
    const direct = parse(raw)
    if (direct.ok) {
      this.#sink.value(direct.value, this.#line)
      return
    }
    // `trim` also removes a byte order mark and the carriage return of Windows line endings.
    const text = raw.trim()
    let start = 0
    while (start < text.length) {
      const scan = scanValue(text, start, 0)
      if (scan.end === -1 && !scan.insideString) {
        this.#document = { line: this.#line, lines: [text.slice(start)], depth: scan.depth }
        return
      }
      const piece = parse(text.slice(start, scan.end === -1 ? text.length : scan.end))
      if (!piece.ok) {
        const rest = start
        const unfinished = scan.end === -1 ? (): string => text.slice(rest) : undefined
        this.#sink.damage(this.#line, `not JSON: ${piece.message}`, unfinished)
        this.#salvage(text, start + 1)
        return
      }
      this.#sink.value(piece.value, this.#line)
      start = skipSpace(text, scan.end)
    }
  }

  /** After a crash, a recorder may append a complete record to a broken line: finds that record. */
  #salvage(text: string, from: number): void {
    let start = text.indexOf('{"', from)
    for (let tries = 0; start !== -1 && tries < mostSalvageAttempts; tries += 1) {
      const whole = parse(text.slice(start))
      if (whole.ok) {
        this.#sink.value(whole.value, this.#line)
        return
      }
      start = text.indexOf('{"', start + 1)
    }
  }

  #continueDocument(document: OpenDocument, raw: string): void {
    if (raw.charCodeAt(0) === 0x7b && !mayContain(document) && parse(raw).ok) {
      this.#abandon(document, 'the value is not finished')
      this.#startLine(raw)
      return
    }
    const scan = scanValue(raw, 0, document.depth)
    if (scan.insideString) {
      document.lines.push(raw)
      this.#abandon(document, `a string is not closed on line ${this.#line}`)
      return
    }
    if (scan.end === -1) {
      document.lines.push(raw)
      document.depth = scan.depth
      return
    }
    document.lines.push(raw.slice(0, scan.end))
    this.#document = null
    const whole = parse(document.lines.join('\n'))
    if (whole.ok) this.#sink.value(whole.value, document.line)
    else this.#abandon(document, `not JSON: ${whole.message}`)
    const rest = raw.slice(scan.end).trim()
    if (rest !== '') this.#startLine(rest)
  }

  /** Reports an open value as damaged. Later lines that are complete objects on their own are still used. */
  #abandon(document: OpenDocument, message: string): void {
    this.#document = null
    this.#sink.damage(document.line, message, () => document.lines.join('\n'))
    for (const [offset, raw] of document.lines.entries()) {
      if (offset === 0 || raw.charCodeAt(0) !== 0x7b) continue
      const whole = parse(raw)
      if (whole.ok) this.#sink.value(whole.value, document.line + offset)
    }
  }
}

/** Whether a line that starts with `{` can continue the open value: an object only follows `[`, `,` or `:`. */
function mayContain(document: OpenDocument): boolean {
  for (let index = document.lines.length - 1; index >= 0; index -= 1) {
    const line = document.lines[index]!.trimEnd()
    if (line !== '') return '[,:'.includes(line[line.length - 1]!)
  }
  return false
}

function scanValue(text: string, start: number, openDepth: number): Scan {
  let depth = openDepth
  let index = start
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      index = closingQuote(text, index + 1)
      if (index === -1) return { end: -1, depth, insideString: true }
      if (depth === 0) return { end: index + 1, depth, insideString: false }
    } else if (code === 0x7b || code === 0x5b) {
      // A literal such as `true` ends where the next value starts.
      if (depth === 0 && index > start && text.slice(start, index).trim() !== '')
        return { end: index, depth, insideString: false }
      depth += 1
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1
      if (depth <= 0) return { end: index + 1, depth: 0, insideString: false }
    }
  }
  return { end: depth === 0 ? text.length : -1, depth, insideString: false }
}

/** Position of the quote that closes a string, or -1. */
export function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end !== -1) {
    let escapes = end - 1
    while (escapes >= from && text.charCodeAt(escapes) === backslash) escapes -= 1
    if ((end - escapes) % 2 === 1) return end
    end = text.indexOf('"', end + 1)
  }
  return -1
}

function skipSpace(text: string, from: number): number {
  let index = from
  while (index < text.length && text[index]!.trim() === '') index += 1
  return index
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? shorten(error.message) : String(error) }
  }
}

/** V8's message quotes the input, which can be long, private or full of control characters. */
function shorten(message: string): string {
  const plain = message.split('\n')[0]!.replace(/\p{Cc}/gu, '\uFFFD')
  return plain.length > 120 ? `${plain.slice(0, 117)}…` : plain
}
