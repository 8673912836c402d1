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

// The space after the separator is optional at the end of a line only, where a client may have trimmed it.
const prefixes: Readonly<Record<NumberStyle, RegExp>> = {
  arrow: /^ *(\d{1,9})→/,
  tab: /^ *(\d{1,9})\t/,
  'colon-space': /^(\d{1,9}):(?: |$)/,
  colon: /^(\d{1,9}):/,
  'zeros-pipe': /^(\d{5,9})\|(?: |$)/,
  pipe: /^ *(\d{1,9})\|/,
  'spaced-pipe': /^ *(\d{1,9}) \|(?: |$)/,
  dot: /^(\d{1,9})\.(?: |$)/,
  'letter-colon': /^L(\d{1,9}):(?: |$)/,
}

export interface NumberedRun {
  readonly shown: FileLines
  /** What follows the last numbered line, or the empty string. */
  readonly rest: string
}

/**
 * Reads lines whose numbers ascend by one from the first line of the text on. null when the first line carries no
 * number. The caller must look at `rest`: unless it is a known frame, the numbers were the file's own.
 */
export function numberedRun(text: string, style: NumberStyle): NumberedRun | null {
  const prefix = prefixes[style]
  const lines: string[] = []
  let first = 0
  let at = 0
  while (at <= text.length) {
    const end = text.indexOf('\n', at)
    const line = end === -1 ? text.slice(at) : text.slice(at, end)
    const match = prefix.exec(line)
    if (match === null) break
    const number = Number(match[1])
    if (lines.length === 0) first = number
    else if (number !== first + lines.length) break
    lines.push(line.slice(match[0].length))
    at = end === -1 ? text.length + 1 : end + 1
  }
  return lines.length === 0 ? null : { shown: { first, lines }, rest: text.slice(at) }
}
