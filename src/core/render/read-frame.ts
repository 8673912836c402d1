import type { FileLines } from '../words/reading.ts'

/** How an agent writes line numbers. */
export interface LineNumbering {
  /** The text before the number, without padding: `L` or nothing. */
  readonly lead: string
  readonly pad: ' ' | '0'
  /** The minimum width of the number; 0 when it is not padded. */
  readonly width: number
  readonly separator: string
}

/** The text around the lines of a file in a result, and their numbering. */
export interface ReadFrame {
  readonly before: string
  /** Closing tags, without notes that count lines, because the counts may be outdated. */
  readonly after: string
  readonly numbering: LineNumbering | null
  readonly lines: LinesInText
}

/** The positions of lines in a text, including their numbers. */
interface LinesInText {
  readonly start: number
  /** After the line break of the last line. */
  readonly end: number
  /** The positions of the requested lines. */
  readonly cuts: readonly number[]
}

const byteOrderMark = '\ufeff'

/**
 * Finds the lines that a result shows in its text. `cuts` are the ascending indices of the lines whose numbers are checked,
 * besides the last line; an index after the last line is allowed. Without `cuts`, all numbers are checked.
 */
export function frameOf(
  text: string,
  shown: FileLines,
  cuts?: readonly number[],
): ReadFrame | null {
  const [line] = shown.lines
  if (line === undefined) return null
  const numbered = numberedStart(text, shown.first, line)
  if (numbered !== null) {
    const { at, numbering } = withTrimmedPadding(numbered, text)
    const lines = numberedLines(text, at, shown, numbering, cuts)
    if (lines !== null) return framed(text, lines, numbering)
  }
  const plain = shown.lines.join('\n')
  const at = text.indexOf(plain)
  if (at === -1 || text.indexOf(plain, at + 1) !== -1) return null
  if (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== byteOrderMark) return null
  return framed(text, plainLines(at, shown.lines, cuts ?? []), null)
}

function framed(text: string, lines: LinesInText, numbering: LineNumbering | null): ReadFrame {
  const before = text.slice(0, lines.start)
  return { before, after: closingTags(text.slice(lines.end - 1)), numbering, lines }
}

function plainLines(start: number, lines: readonly string[], cuts: readonly number[]): LinesInText {
  const starts = [start]
  let at = start
  for (const line of lines) {
    at += line.length + 1
    starts.push(at)
  }
  return { start, end: at, cuts: cuts.map((cut) => starts[cut] as number) }
}

/** Some versions of OpenCode begin the first line directly after the opening tag. */
const numberPrefix = /^((?:<[a-z-]+>)?)(L?)( +|0+|)(\d+)(\D{1,3})$/

function numberedStart(text: string, first: number, line: string): NumberedStart | null {
  for (let at = 0; at !== -1; at = nextLine(text, at)) {
    const end = text.indexOf('\n', at)
    const lineStart = (end === -1 ? text.length : end) - line.length
    const isLine = lineStart >= at && text.startsWith(line, lineStart)
    const read = isLine ? readPrefix(text.slice(at, lineStart)) : null
    if (read === null || read.number !== first) continue
    return { at: at + read.tag.length, numbering: read.numbering }
  }
  return null
}

interface NumberedStart {
  readonly at: number
  readonly numbering: LineNumbering
}

/** Restores the padding of the first number when the agent trimmed it; the line then begins before the text. */
function withTrimmedPadding(start: NumberedStart, text: string): NumberedStart {
  const { at, numbering } = start
  const second = /^( +)(\d+)(?=\D)/.exec(text.slice(text.indexOf('\n') + 1).slice(0, 12))
  if (at > 0 || numbering.width > 0 || second === null) return start
  const width = second[0].length
  const digits = text.search(/\D/)
  return { at: digits - width, numbering: { ...numbering, width } }
}

/** The text before a line: an opening tag, and the line's number. */
interface LinePrefix {
  readonly tag: string
  readonly number: number
  readonly numbering: LineNumbering
}

function readPrefix(prefix: string): LinePrefix | null {
  const match = numberPrefix.exec(prefix)
  if (match === null) return null
  const [, tag = '', lead = '', padding = '', digits = '', separator = ''] = match
  const width = padding === '' ? 0 : padding.length + digits.length
  const pad = padding.startsWith('0') ? '0' : ' '
  return { tag, number: Number(digits), numbering: { lead, pad, width, separator } }
}

/**
 * The positions of numbered lines when the first begins at `start`; null when a number or the last line is not at its
 * expected position.
 */
function numberedLines(
  text: string,
  start: number,
  { first, lines }: FileLines,
  numbering: LineNumbering,
  cuts: readonly number[] | undefined,
): LinesInText | null {
  const last = lines.length - 1
  const starts = [start]
  for (const [index, line] of lines.slice(0, last).entries()) {
    const prefix = numberOf(first + index, numbering)
    starts.push((starts[index] as number) + prefix.length + line.length + 1)
  }
  const lastLine = lines[last] as string
  const lastStart = starts[last] as number
  const lastPrefix = prefixOfLast(text, lastStart, numberOf(first + last, numbering), {
    line: lastLine,
    separator: numbering.separator,
  })
  const isNumbered = (index: number): boolean => {
    const at = starts[index] as number
    const prefix = index === last ? lastPrefix : numberOf(first + index, numbering)
    if (index > 0 && text[at - 1] !== '\n') return false
    // Positions before the text belong to the trimmed padding.
    return text.startsWith(prefix.slice(Math.max(0, -at)), Math.max(0, at))
  }
  const checked = (cuts ?? lines.map((_, index) => index)).map((cut) => Math.min(cut, last))
  if (![...checked, last].every(isNumbered)) return null
  const lineAt = lastStart + lastPrefix.length
  if (!text.startsWith(lastLine, lineAt)) return null
  const end = lineAt + lastLine.length + 1
  const places = (cuts ?? []).map((cut) => (cut > last ? end : Math.max(0, starts[cut] as number)))
  return { start: Math.max(0, start), end, cuts: places }
}

/** A line's number as written before the line. */
function numberOf(number: number, { lead, pad, width, separator }: LineNumbering): string {
  return `${lead}${String(number).padStart(width, pad)}${separator}`
}

/** The prefix of the last line, without the separator when the agent trimmed it after an empty line. */
function prefixOfLast(
  text: string,
  at: number,
  prefix: string,
  { line, separator }: { readonly line: string; readonly separator: string },
): string {
  const before = prefix.length - separator.length
  const isTrimmed =
    line === '' && separator.trim() === '' && !text.startsWith(separator, at + before)
  return isTrimmed ? prefix.slice(0, before) : prefix
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? -1 : end + 1
}

function closingTags(rest: string): string {
  if (!rest.includes('</')) return ''
  const tags = rest.split('\n').filter((line) => /^<\/[a-z-]+>$/.test(line.trim()))
  return tags
    .filter((tag) => tag.trim() !== '</system-reminder>')
    .map((tag) => `\n${tag}`)
    .join('')
}
