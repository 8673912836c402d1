import type { FileLines } from './reading.ts'

/** How an agent writes line numbers. */
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
  /** The text before the number. */
  readonly lead: '' | 'L'
  /** True if the number may be padded with spaces. */
  readonly padded: boolean
  readonly fewestDigits: number
  readonly separator: string
  /** True if a space follows, except at the end of a line, where it may have been trimmed. */
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
  /** The text after the last numbered line. */
  readonly rest: string
}

/**
 * Reads lines whose numbers increase by one, from the first line of the text. null if the first line has no number. The
 * caller must check `rest`: unless it is a known frame, the numbers are part of the file.
 */
export function numberedRun(text: string, style: NumberStyle): NumberedRun | null {
  const prefix = prefixes[style]
  const lines: string[] = []
  let first = 0
  let at = 0
  while (at <= text.length) {
    const digits = digitsAt(text, at, prefix)
    if (digits === null) break
    if (lines.length === 0) first = digits.number
    else if (digits.number !== first + lines.length) break
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    const behind = behindSeparator(text, digits.end, end, prefix)
    if (behind === -1) break
    lines.push(text.slice(behind, end))
    at = end + 1
  }
  return lines.length === 0 ? null : { shown: { first, lines }, rest: text.slice(at) }
}

/**
 * Claude Code trims the output of commands, and results before it adds a reminder. This removes the tab after the number
 * of an empty last line, so a number alone that continues the run is an empty line.
 */
export function withTrimmedLine({ shown, rest }: NumberedRun): NumberedRun {
  const bare = bareNumber.exec(rest)
  const { first, lines } = shown
  if (bare === null || Number(bare[1]) !== first + lines.length) return { shown, rest }
  return { shown: { first, lines: [...lines, ''] }, rest: rest.slice(bare[0].length) }
}

/** A number at the beginning of a text, followed only by white space and reminders. */
export const bareNumber: RegExp = /^ *(\d{1,9})(?!\t)(?=\s*(?:<system-reminder>|$))/

const zero = 0x30
const blank = 0x20

/** The number at the start of a line, and where its digits end. */
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

/** Where the line's text starts, or -1 if no separator follows the number. */
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
