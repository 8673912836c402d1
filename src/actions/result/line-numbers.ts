import type { FileLines } from './reading.ts'

/** How an agent writes a line's number in front of it. */
export type NumberStyle =
  | 'arrow'
  | 'tab'
  | 'colon-space'
  | 'colon'
  | 'zeros-pipe'
  | 'pipe'
  | 'spaced-pipe'
  | 'dot'
  | 'letter-colon'

interface Prefix {
  /** What stands before the number. */
  readonly lead: '' | 'L'
  /** True when blanks may pad the number. */
  readonly padded: boolean
  readonly fewestDigits: number
  readonly separator: string
  /** A space follows, but for the end of a line, where a client may have trimmed it. */
  readonly spaced: boolean
}

const mostDigits = 9
const plain: Prefix = { lead: '', padded: false, fewestDigits: 1, separator: ':', spaced: false }
const prefixes: Readonly<Record<NumberStyle, Prefix>> = {
  arrow: { ...plain, padded: true, separator: '→' },
  tab: { ...plain, padded: true, separator: '\t' },
  'colon-space': { ...plain, spaced: true },
  colon: plain,
  'zeros-pipe': { ...plain, fewestDigits: 5, separator: '|', spaced: true },
  pipe: { ...plain, padded: true, separator: '|' },
  'spaced-pipe': { ...plain, padded: true, separator: ' |', spaced: true },
  dot: { ...plain, separator: '.', spaced: true },
  'letter-colon': { ...plain, lead: 'L', spaced: true },
}

export interface NumberedRun {
  readonly shown: FileLines
  /** What follows the last numbered line, or the empty string. */
  readonly rest: string
  readonly text: string
  readonly style: NumberStyle
  /** Where in the text each of the lines begins, its number included, and last where one more line would. */
  readonly starts: readonly number[]
}

/** After so many lines in a row that are not as they were, those below them have most likely moved. */
const mostDifferent = 8

/**
 * Reads lines whose numbers ascend by one from the first line of the text on. null when the first line carries no
 * number. The caller must look at `rest`: unless it is a known frame, the numbers were the file's own. What stands in
 * an earlier run letter by letter is taken over from it; the result is the same without one.
 */
export function numberedRun(
  text: string,
  style: NumberStyle,
  earlier?: NumberedRun,
): NumberedRun | null {
  const prefix = prefixes[style]
  const known = earlier?.style === style ? earlier : null
  let lines: string[] = []
  let starts: number[] = []
  let count = 0
  let tries = mostDifferent
  let isCopied = false
  let first = 0
  let at = 0
  while (at <= text.length) {
    const digits = digitsAt(text, at, prefix)
    if (digits === null) break
    if (count === 0) first = digits.number
    else if (digits.number !== first + count) break
    if (known !== null && tries > 0) {
      const from = digits.number - known.shown.first
      const same = countSame(text, at, known, from)
      tries = same > 0 ? mostDifferent : tries - 1
      if (same > 0) {
        const end = known.starts[from + same]! - known.starts[from]! + at
        // Once, and all that may follow with it: what turns out different is written over. There is room for the place
        // behind the last line too, because a list that grows by one is copied with room for many.
        if (!isCopied) {
          const most = end < text.length ? known.starts.length - 1 : from + same
          lines = withCopied(lines, known.shown.lines, from, most)
          starts = withCopied(starts, known.starts, from, most + 1)
          isCopied = true
        }
        moveStarts(starts, count, same, known.starts, from, at)
        count += same
        at = end
        continue
      }
    }
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    const behind = behindSeparator(text, digits.end, end, prefix)
    if (behind === -1) break
    lines[count] = text.slice(behind, end)
    starts[count++] = at
    at = end + 1
  }
  if (count === 0) return null
  if (lines.length > count) lines.length = count
  starts[count] = at
  if (starts.length > count + 1) starts.length = count + 1
  return { shown: { first, lines }, rest: text.slice(at), text, style, starts }
}

/**
 * Claude Code trims a result before it adds a reminder, and trims what a command printed. The tab behind the number of an
 * empty last line goes with that, so a bare number that continues the run is an empty line.
 */
export function withTrimmedLine({
  shown,
  rest,
}: Pick<NumberedRun, 'shown' | 'rest'>): Pick<NumberedRun, 'shown' | 'rest'> {
  const bare = bareNumber.exec(rest)
  const { first, lines } = shown
  if (bare === null || Number(bare[1]) !== first + lines.length) return { shown, rest }
  return { shown: { first, lines: [...lines, ''] }, rest: rest.slice(bare[0].length) }
}

/** A number at the beginning of a text that nothing but blanks and reminders follows. */
export const bareNumber: RegExp = /^ *(\d{1,9})(?!\t)(?=\s*(?:<system-reminder>|$))/

function withCopied<Value>(
  list: readonly Value[],
  known: readonly Value[],
  from: number,
  to: number,
): Value[] {
  const copied = known.slice(from, to)
  return list.length === 0 ? copied : list.concat(copied)
}

const lineBreak = 0x0a

/**
 * How many lines from `at` on are those of the earlier run from its line `index` on. Compares long stretches at once:
 * two slices are compared many times faster than the same characters one by one.
 */
function countSame(text: string, at: number, earlier: NumberedRun, index: number): number {
  const { starts } = earlier
  if (index < 0 || index >= starts.length - 1) return 0
  const most = countFitting(starts, index, text.length - at)
  // Mostly all of them are, or none.
  if (most === 0 || isSame(text, at, earlier, index, 0, most)) return most
  if (most === 1 || !isSame(text, at, earlier, index, 0, 1)) return 0
  let low = 1
  let high = most
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (isSame(text, at, earlier, index, low, middle)) low = middle
    else high = middle
  }
  return low
}

/** How many lines from `index` on, the break after the last of them left out, have room in so many characters. */
function countFitting(starts: readonly number[], index: number, room: number): number {
  const end = starts[index]! + room + 1
  let low = index
  let high = starts.length - 1
  if (starts[high]! <= end) return high - index
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= end) low = middle
    else high = middle
  }
  return low - index
}

/** Whether the lines from `low` up to `high` behind `index` stand in the text too, which goes on with another line. */
function isSame(
  text: string,
  at: number,
  earlier: NumberedRun,
  index: number,
  low: number,
  high: number,
): boolean {
  const { starts } = earlier
  const moved = at - starts[index]!
  const start = starts[index + low]!
  const end = starts[index + high]! - 1
  const there = end + moved
  if (there < text.length && text.charCodeAt(there) !== lineBreak) return false
  return text.slice(start + moved, there) === earlier.text.slice(start, end)
}

/** Where lines that were copied begin now: the first of them at `at`. */
function moveStarts(
  starts: number[],
  first: number,
  count: number,
  earlier: readonly number[],
  from: number,
  at: number,
): void {
  const moved = at - earlier[from]!
  if (moved === 0) return
  for (let offset = 0; offset < count; offset++) {
    starts[first + offset] = earlier[from + offset]! + moved
  }
}

const zero = 0x30
const blank = 0x20

/** The number that a line begins with, and where its digits end. */
function digitsAt(
  text: string,
  start: number,
  { lead, padded, fewestDigits }: Prefix,
): { readonly number: number; readonly end: number } | null {
  if (!text.startsWith(lead, start)) return null
  let at = start + lead.length
  if (padded) while (text.charCodeAt(at) === blank) at++
  const from = at
  let number = 0
  for (; at - from < mostDigits; at++) {
    const digit = text.charCodeAt(at) - zero
    if (!(digit >= 0 && digit <= 9)) break
    number = number * 10 + digit
  }
  return at - from < fewestDigits ? null : { number, end: at }
}

/** Where the line's own text begins, or -1 when the number is followed by something else. */
function behindSeparator(
  text: string,
  at: number,
  end: number,
  { separator, spaced }: Prefix,
): number {
  const behind = at + separator.length
  if (behind > end || !text.startsWith(separator, at)) return -1
  if (!spaced || behind === end) return behind
  return text.charCodeAt(behind) === blank ? behind + 1 : -1
}
