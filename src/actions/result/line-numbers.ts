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
  const lines: string[] = []
  const starts: number[] = []
  let tries = earlier?.style === style ? mostDifferent : 0
  let first = 0
  let at = 0
  while (at <= text.length) {
    const digits = digitsAt(text, at, prefix)
    if (digits === null) break
    if (lines.length === 0) first = digits.number
    else if (digits.number !== first + lines.length) break
    if (tries > 0 && earlier !== undefined) {
      const same = countSame(text, at, earlier, digits.number)
      tries = same > 0 ? mostDifferent : tries - 1
      if (same > 0) {
        at = takeOver(lines, starts, at, earlier, digits.number, same)
        continue
      }
    }
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    const behind = behindSeparator(text, digits.end, end, prefix)
    if (behind === -1) break
    lines.push(text.slice(behind, end))
    starts.push(at)
    at = end + 1
  }
  if (lines.length === 0) return null
  starts.push(at)
  return { shown: { first, lines }, rest: text.slice(at), text, style, starts }
}

const lineBreak = 0x0a

/**
 * How many lines from `number` on, which begins at `at`, are those of the earlier run. Compares long stretches at once:
 * two slices are compared many times faster than the same characters one by one.
 */
function countSame(text: string, at: number, earlier: NumberedRun, number: number): number {
  const { starts } = earlier
  const index = number - earlier.shown.first
  const from = starts[index]
  const most = starts.length - 1 - index
  if (from === undefined || most < 1) return 0
  const isSame = (start: number, count: number): boolean => {
    const end = starts[index + count]! - 1
    const there = at + end - from
    if (there > text.length) return false
    if (there < text.length && text.charCodeAt(there) !== lineBreak) return false
    return text.slice(at + start - from, there) === earlier.text.slice(start, end)
  }
  if (!isSame(from, 1)) return 0
  if (isSame(from, most)) return most
  let low = 1
  let high = most
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (isSame(starts[index + low]!, middle)) low = middle
    else high = middle
  }
  return low
}

/** Adds the lines of an earlier run; gives the position after them. */
function takeOver(
  lines: string[],
  starts: number[],
  at: number,
  earlier: NumberedRun,
  number: number,
  count: number,
): number {
  const from = number - earlier.shown.first
  const shift = at - earlier.starts[from]!
  for (let index = from; index < from + count; index++) {
    lines.push(earlier.shown.lines[index]!)
    starts.push(earlier.starts[index]! + shift)
  }
  return earlier.starts[from + count]! + shift
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
