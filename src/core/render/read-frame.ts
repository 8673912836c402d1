import type { FileLines } from '../words/reading.ts'

/** How an agent writes a line's number in front of it; null where it writes none. */
export interface LineNumbering {
  /** What stands before the number, padding aside: `L` or nothing. */
  readonly lead: string
  readonly pad: ' ' | '0'
  /** The least width of the number; 0 where it is not padded. */
  readonly width: number
  readonly separator: string
}

/** What an agent puts around and into the lines of a file that it shows. */
export interface ReadFrame {
  readonly before: string
  /** Closing tags; notes that count lines are left out, because the counts may no longer hold. */
  readonly after: string
  readonly numbering: LineNumbering | null
  readonly lines: LinesInText
}

/** Where lines stand in a text, their numbers included. */
interface LinesInText {
  readonly start: number
  /** Behind the last of them, and behind the line break after it. */
  readonly end: number
  /** Where the lines begin that were asked for. */
  readonly cuts: readonly number[]
}

const nowhere: readonly number[] = []
const byteOrderMark = '\ufeff'

/**
 * Finds the lines that a result shows in its text. `cuts`, ascending, are the positions of lines whose numbers have to be
 * where they are expected, besides the last one; one behind the last has none. All lines when left out.
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
  return framed(text, plainLines(at, shown.lines, cuts ?? nowhere), null)
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

/** Some versions of OpenCode begin the first line right behind the tag of their frame. */
const numberPrefix = /^((?:<[a-z-]+>)?)(L?)( +|0+|)(\d+)(\D{1,3})$/

function numberedStart(text: string, first: number, line: string): NumberedStart | null {
  for (let at = 0; at !== -1; at = nextLine(text, at)) {
    const end = text.indexOf('\n', at)
    const behind = (end === -1 ? text.length : end) - line.length
    const isLine = behind >= at && text.startsWith(line, behind)
    const read = isLine ? readPrefix(text.slice(at, behind)) : null
    if (read === null || read.number !== first) continue
    return { at: at + read.tag.length, numbering: read.numbering }
  }
  return null
}

interface NumberedStart {
  readonly at: number
  readonly numbering: LineNumbering
}

/** An agent that trims its output takes the blanks before the first number: the line begins so far before the text. */
function withTrimmedPadding(start: NumberedStart, text: string): NumberedStart {
  const { at, numbering } = start
  const second = /^( +)(\d+)(?=\D)/.exec(text.slice(text.indexOf('\n') + 1).slice(0, 12))
  if (at > 0 || numbering.width > 0 || second === null) return start
  const width = second[0].length
  const digits = text.search(/\D/)
  return { at: digits - width, numbering: { ...numbering, width } }
}

/** What stands in front of a line: the end of a frame, and the line's number. */
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
 * Where lines with their numbers stand when the first of them begins at a place; null when one of the numbers is not
 * where it would be, or the last line not behind its own.
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
    // Before the text there is only what was trimmed.
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

/** A line's number as it is written in front of the line. */
function numberOf(number: number, { lead, pad, width, separator }: LineNumbering): string {
  return `${lead}${String(number).padStart(width, pad)}${separator}`
}

/** An agent that trims its result takes the separator of an empty last line with it. */
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
