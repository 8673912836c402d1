import type { FileLines, ResultReading } from '../record/reading.ts'
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

/** Finds the lines that a result shows in its text. */
export function frameOf(text: string, shown: FileLines): Frame | null {
  const [line] = shown.lines
  if (line === undefined) return null
  const numbered = numberedStart(text, shown.first, line)
  if (numbered !== null) {
    const starts = numberedStarts(text, numbered.at, shown, numbered.numbering)
    if (starts !== null) {
      return {
        before: text.slice(0, numbered.at),
        after: closingTags(text.slice((starts.at(-1) as number) - 1)),
        numbering: numbered.numbering,
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
    const match = prefix === null ? null : numberPrefix.exec(prefix)
    if (match === null || Number(match[4]) !== first) continue
    const [, tag = '', lead = '', padding = '', digits = '', separator = ''] = match
    const width = padding === '' ? 0 : padding.length + digits.length
    const pad = padding.startsWith('0') ? '0' : ' '
    return { at: at + tag.length, numbering: { lead, pad, width, separator } }
  }
  return null
}

const zero = 0x30
const lineBreak = 0x0a

/**
 * Where the lines begin that stand with their numbers from a place of the text on; null where others stand there. The
 * lines were read from this text, so that the right numbers in the right places tell them.
 */
function numberedStarts(
  text: string,
  start: number,
  { first, lines }: FileLines,
  { lead, pad, width, separator }: LineNumbering,
): readonly number[] | null {
  const padding = pad.charCodeAt(0)
  const starts: number[] = [start]
  let digits = String(first).length
  let nextLonger = 10 ** digits
  let at = start
  for (let index = 0; index < lines.length; index++) {
    const number = first + index
    if (number === nextLonger) {
      digits++
      nextLonger *= 10
    }
    if (index > 0 && text.charCodeAt(at++) !== lineBreak) return null
    if (lead !== '' && !text.startsWith(lead, at)) return null
    at += lead.length
    for (let padded = digits; padded < width; padded++) {
      if (text.charCodeAt(at++) !== padding) return null
    }
    let left = number
    for (let digit = at + digits - 1; digit >= at; digit--) {
      if (text.charCodeAt(digit) !== zero + (left % 10)) return null
      left = Math.floor(left / 10)
    }
    at += digits
    for (let each = 0; each < separator.length; each++) {
      if (text.charCodeAt(at++) !== separator.charCodeAt(each)) return null
    }
    at += (lines[index] as string).length
    starts.push(at + 1)
  }
  const last = lines.at(-1) as string
  return at <= text.length && text.slice(at - last.length, at) === last ? starts : null
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
