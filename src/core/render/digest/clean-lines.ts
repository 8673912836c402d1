import { grouped } from '../counts.ts'
import { boundaryAfter, boundaryBefore } from '../cut.ts'

/** Longer lines are shortened: bundles, encoded images, rows of data. */
const longestLine = 600
/** The shares of that length that each end keeps. */
const keptHead = 0.6
const keptTail = 0.2

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes begin with the escape character
const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?)/g

/** The text that a terminal would show: without colours, and with the last state of lines that overwrite themselves. */
export function terminalText(text: string): string {
  let plain = text.includes('\u001b') ? text.replaceAll(escapes, '') : text
  if (plain.includes('\r')) {
    plain = plain.replaceAll('\r\n', '\n')
    if (plain.includes('\r')) plain = plain.split('\n').map(lastState).join('\n')
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal does not show
  return /[\u0000-\u0008\u000b-\u001f\u007f]/.test(plain) ? withoutControls(plain) : plain
}

function lastState(line: string): string {
  if (!line.includes('\r')) return line
  const states = line.split('\r').filter((state) => state.trim() !== '')
  return states.at(-1) ?? ''
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal does not show
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]+/g, '')
}

/** How far a line is indented, in characters. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** The line, or its two ends and the number of characters between them. */
export function shortLine(line: string, most: number = longestLine): string {
  if (line.length <= most) return line
  const head = boundaryBefore(line, Math.floor(most * keptHead))
  const tail = boundaryAfter(line, line.length - Math.floor(most * keptTail))
  return `${line.slice(0, head)}…[${grouped(tail - head)} chars]…${line.slice(tail)}`
}
