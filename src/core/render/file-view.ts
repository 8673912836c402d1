import type { FileLines, ResultReading } from '../record/reading.ts'
import { remembered } from '../remembered.ts'
import { shortPath } from './describe-operation.ts'
import { bracketed, restoreHint } from './fitting.ts'

/** How an agent writes a line's number in front of it; null where it writes none. */
export interface LineNumbering {
  /** What stands before the number, padding aside: `L` or nothing. */
  readonly lead: string
  readonly pad: ' ' | '0'
  /** The least width of the number; 0 where it is not padded. */
  readonly width: number
  readonly separator: string
}

export interface FileView {
  readonly path: string
  /** The runs of lines to show, ascending, not touching each other, as the file is now. */
  readonly runs: readonly FileLines[]
  /** The turn of the newest change that they include. */
  readonly turn: number
  readonly handle: string
}

/**
 * A file's lines as they are now in the place of a read, in the frame and with the line numbers of that read. null when
 * the frame cannot be told from the lines, or when a gap could not be told from the file's own text.
 */
export function renderFileView(
  result: { readonly text: string; readonly reading: ResultReading },
  view: FileView,
): string | null {
  const shown = result.reading.lines
  const [firstRun] = view.runs
  if (shown === null || firstRun === undefined) return null
  const frame = frameOf(result.text, shown)
  if (frame === null) return null
  const { numbering } = frame
  // Without numbers nothing but the place of a line says which it is.
  if (numbering === null && (view.runs.length > 1 || firstRun.first !== shown.first)) return null
  const body = view.runs.map((run) => numberLines(run, numbering)).join(gap)
  const note = bracketed(
    `${shortPath(view.path)} as of turn ${view.turn}`,
    restoreHint(view.handle),
  )
  return `${frame.before}${body}\n\n${note}${frame.after}`
}

const gap = '\n[...]\n'

/** Lines with their numbers, as the agent writes them. */
function numberLines({ first, lines }: FileLines, numbering: LineNumbering | null): string {
  if (numbering === null) return lines.join('\n')
  const { lead, pad, width, separator } = numbering
  return lines
    .map((line, index) => {
      const number = String(first + index).padStart(width, pad)
      return `${lead}${number}${separator}${line}`
    })
    .join('\n')
}

export interface Frame {
  readonly before: string
  /** Closing tags; notes that count lines are left out, because the counts may no longer hold. */
  readonly after: string
  readonly numbering: LineNumbering | null
  /** Where each line begins in the text, its number included, and where one behind the last would. */
  readonly starts: readonly number[]
}

/**
 * Finds the lines that a result shows in its text. `checked`, ascending, are the lines whose numbers have to be where
 * they are expected, besides the last one; all of them when left out.
 */
export function frameOf(text: string, shown: FileLines, checked?: readonly number[]): Frame | null {
  const [line] = shown.lines
  if (line === undefined) return null
  const numbered = numberedStart(text, shown.first, line)
  if (numbered !== null) {
    const { numbering } = numbered
    const starts = numberedStarts(numbered.at, shown, numbering)
    const end = (starts.at(-1) as number) - 1
    if (isNumbered(text, starts, shown, numbering, checked)) {
      return {
        before: text.slice(0, numbered.at),
        after: closingTags(text.slice(end)),
        numbering,
        starts,
      }
    }
  }
  const plain = shown.lines.join('\n')
  const at = text.indexOf(plain)
  if (at === -1 || text.indexOf(plain, at + 1) !== -1) return null
  if (at > 0 && text[at - 1] !== '\n') return null
  return {
    before: text.slice(0, at),
    after: closingTags(text.slice(at + plain.length)),
    numbering: null,
    starts: plainStarts(at, shown.lines),
  }
}

function plainStarts(start: number, lines: readonly string[]): readonly number[] {
  const starts = [start]
  let at = start
  for (const line of lines) {
    at += line.length + 1
    starts.push(at)
  }
  return starts
}

/** Some versions of OpenCode begin the first line right behind the tag of their frame. */
const numberPrefix = /^((?:<[a-z-]+>)?)(L?)( +|0+|)(\d+)(\D{1,3})$/

function numberedStart(
  text: string,
  first: number,
  line: string,
): { readonly at: number; readonly numbering: LineNumbering } | null {
  for (let at = 0; at !== -1; at = nextLine(text, at)) {
    const end = text.indexOf('\n', at)
    const own = end === -1 ? text.slice(at) : text.slice(at, end)
    const prefix = own.endsWith(line) ? own.slice(0, own.length - line.length) : null
    const read = prefix === null ? null : readPrefix(prefix)
    if (read === null || read.number !== first) continue
    return { at: at + read.tag.length, numbering: read.numbering }
  }
  return null
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

/** Where lines with their numbers begin when the first of them begins at a place, and where one behind them would. */
function numberedStarts(
  start: number,
  { first, lines }: FileLines,
  { lead, width, separator }: LineNumbering,
): readonly number[] {
  const starts = new Array<number>(lines.length + 1)
  starts[0] = start
  let digits = String(first).length
  let nextLonger = 10 ** digits
  let at = start
  for (let index = 0; index < lines.length; index++) {
    if (first + index === nextLonger) {
      digits++
      nextLonger *= 10
    }
    at += lead.length + Math.max(width, digits) + separator.length
    at += (lines[index] as string).length + 1
    starts[index + 1] = at
  }
  return starts
}

/** True when the text has the lines' numbers where they would be, and the last line behind its own. */
function isNumbered(
  text: string,
  starts: readonly number[],
  { first, lines }: FileLines,
  { lead, pad, separator }: LineNumbering,
  checked: readonly number[] | undefined,
): boolean {
  const padding = pad.charCodeAt(0)
  const hasNumber = (index: number): boolean => {
    const start = starts[index] as number
    if (index > 0 && text.charCodeAt(start - 1) !== lineBreak) return false
    let behind = (starts[index + 1] as number) - 1 - (lines[index] as string).length
    for (let each = separator.length - 1; each >= 0; each--) {
      if (text.charCodeAt(--behind) !== separator.charCodeAt(each)) return false
    }
    let left = first + index
    do {
      if (text.charCodeAt(--behind) !== zero + (left % 10)) return false
      left = Math.floor(left / 10)
    } while (left > 0)
    while (behind > start + lead.length) {
      if (text.charCodeAt(--behind) !== padding) return false
    }
    return lead === '' || text.startsWith(lead, start)
  }
  const last = lines.at(-1) as string
  const end = (starts.at(-1) as number) - 1
  if (text.slice(end - last.length, end) !== last || !hasNumber(lines.length - 1)) return false
  if (checked !== undefined) return checked.every(hasNumber)
  return lines.every((_, index) => hasNumber(index))
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
