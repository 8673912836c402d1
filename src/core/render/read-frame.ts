import type { FileLines } from '../words/reading.ts'
import { remembered } from './remembered.ts'

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
    // Slices of a text are compared at once, its end character by character.
    const isLine = behind >= at && text.slice(behind, behind + line.length) === line
    const prefix = isLine ? text.slice(at, behind) : null
    const read = prefix === null ? null : readPrefix(prefix)
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

/**
 * An agent numbers lines in one way, and reads begin at the same lines again and again. A longer prefix would be kept as a
 * part of its text, and the whole of that with it.
 */
const readPrefix = remembered(prefixOf, { longest: 12 })

function prefixOf(prefix: string): LinePrefix | null {
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
  const { lead, width, separator } = numbering
  const asked = cuts ?? lines.map((_, index) => index)
  const starts = new Array<number>(asked.length)
  let digits = String(first).length
  let longerFrom = 10 ** digits - first
  let before = lead.length + Math.max(width, digits) + separator.length
  const last = lines.length - 1
  let at = start
  let index = 0
  let shown = numbering
  // Most lines are only passed over, from one cut to the next and to the last.
  for (let cut = 0; cut <= asked.length; cut++) {
    const stop = cut < asked.length ? Math.min(asked[cut] as number, last) : last
    while (index < stop) {
      at += before + (lines[index] as string).length + 1
      if (++index !== longerFrom) continue
      longerFrom = 10 ** ++digits - first
      before = lead.length + Math.max(width, digits) + separator.length
    }
    // An agent that trims its result takes the separator of an empty last line with it.
    if (index === last && shown === numbering && isTrimmed(text, at + before, numbering, lines)) {
      before -= separator.length
      shown = { ...numbering, separator: '' }
    }
    if (!isNumbered(text, at, at + before, index, first, shown)) return null
    if (cut < asked.length) starts[cut] = at
  }
  const line = lines[last] as string
  const end = at + before + line.length + 1
  if (text.slice(at + before, end - 1) !== line) return null
  for (let cut = asked.length - 1; cut >= 0 && (asked[cut] as number) > last; cut--) {
    starts[cut] = end
  }
  if (start >= 0) return { start, end, cuts: starts }
  return { start: 0, end, cuts: starts.map((cut) => Math.max(0, cut)) }
}

function isTrimmed(
  text: string,
  behind: number,
  { separator }: LineNumbering,
  lines: readonly string[],
): boolean {
  if (lines.at(-1) !== '' || separator.trim() !== '') return false
  return !text.startsWith(separator, behind - separator.length)
}

/** True when the text between the places is the number of a line, as it is written in front of one. */
function isNumbered(
  text: string,
  start: number,
  behind: number,
  index: number,
  first: number,
  { lead, pad, separator }: LineNumbering,
): boolean {
  if (index > 0 && text.charCodeAt(start - 1) !== lineBreak) return false
  let at = behind
  for (let each = separator.length - 1; each >= 0; each--) {
    if (text.charCodeAt(--at) !== separator.charCodeAt(each)) return false
  }
  let left = first + index
  do {
    if (text.charCodeAt(--at) !== zero + (left % 10)) return false
    left = Math.floor(left / 10)
  } while (left > 0)
  const padding = pad.charCodeAt(0)
  // Before the text there is only what was trimmed.
  while (at > Math.max(0, start + lead.length)) {
    if (text.charCodeAt(--at) !== padding) return false
  }
  return lead === '' || text.startsWith(lead, start)
}

const lineBreak = 0x0a
const zero = 0x30

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
