import { shortLine } from './clean-lines.ts'
import { type ComposeOptions, compose } from './compose.ts'
import type { DigestLimits } from './digest-types.ts'
import type { Output, OutputKind } from './output.ts'
import { type Piece, type Worth, type WorthByNames, worth } from './piece.ts'

const headLines = 12
const tailLines = 16
/** The number of last lines that must stay when a command failed, because they explain it. */
const errorTail = 10
/** After this many lines of one shape, further ones are noise. */
const oftenSeen = 4
const mostShapes = 20_000

/** Any other output: both ends, failures, and lines that differ from the others. */
export const plain: OutputKind = {
  kind: 'plain',
  bestFit: 0.5,
  fits: () => 0.5,
  digest(output, limits) {
    return composeLines(
      weighLines(output, () => null),
      output,
      limits,
    )
  },
}

/** The part of a line, and of its indentation, that classifiers see. */
const seenChars = 400
const seenIndent = 12

/**
 * Every line with its worth: `worthOf` decides, or else its position, its names and the number of similar lines before it.
 * A repeated `must` line is worth little.
 */
export function weighLines(
  output: Output,
  worthOf: (line: string, at: number) => Worth | null,
): readonly Piece[] {
  const shapes = new Map<string, number>()
  const musts = new Set<string>()
  return output.lines.map((line, at) => {
    const text = shortLine(line.trimEnd())
    const seen = seenPart(line)
    const value = worthOf(seen, at) ?? usualWorth(seen, at, output, shapes)
    const isAgain = value === worth.must && musts.has(text)
    if (value === worth.must) musts.add(text)
    return { text, first: at, last: at, worth: isAgain ? worth.little : value }
  })
}

/** Composes weighed lines, searching the same part of them for names that was weighed. */
export function composeLines(
  pieces: readonly Piece[],
  output: Output,
  limits: DigestLimits,
  options: Partial<ComposeOptions> = {},
): string {
  const namedIn = ({ first }: Piece): string => seenPart(output.lines[first] as string)
  return compose(pieces, { limits, output, marksCuts: true, namedIn, ...options })
}

/** The beginning of a line with at most a short indentation, so that no pattern is slow on it. */
export function seenPart(line: string): string {
  const { length } = line
  if (
    length > 0 &&
    length <= seenChars &&
    isVisibleAscii(line, length - 1) &&
    isLittleIndented(line)
  )
    return line
  const trimmed = line.trimStart()
  const indent = line.length - trimmed.length
  const start = indent > seenIndent ? ' '.repeat(seenIndent) : line.slice(0, indent)
  return start + trimmed.slice(0, seenChars).trimEnd()
}

function isEmpty(line: string): boolean {
  return line === '' || (!isVisibleAscii(line, line.length - 1) && line.trim() === '')
}

/** A fast test that is true for most lines with a short indentation, and false for all others. */
function isLittleIndented(line: string): boolean {
  let at = 0
  while (at < seenIndent && line.charCodeAt(at) === 0x20) at++
  return isVisibleAscii(line, at)
}

/** True for visible ASCII characters. */
function isVisibleAscii(line: string, at: number): boolean {
  const code = line.charCodeAt(at)
  return code > 0x20 && code < 0x7f
}

/** The first line of a shape is worth more than similar ones, if it contains names. */
const firstOfShape: WorthByNames = {
  named: worth.plain,
  nameless: worth.little,
}

function usualWorth(
  line: string,
  at: number,
  output: Output,
  shapes: Map<string, number>,
): Worth | WorthByNames {
  if (isEmpty(line)) return worth.noise
  if (output.reportsFailure(line)) return worth.must
  const fromEnd = output.lines.length - at
  if (at < 3 || fromEnd <= (output.source.status === 'error' ? errorTail : 4)) return worth.must
  // The last lines need no count, because no line after them is compared with them.
  const seen = fromEnd <= tailLines ? 0 : countShape(line, shapes)
  if (isNoise(line)) return worth.noise
  if (at < headLines || fromEnd <= tailLines) return worth.frame
  if (seen > oftenSeen) return worth.noise
  return seen > 1 ? worth.little : firstOfShape
}

/** True for encoded data, binary data and progress bars. */
function isNoise(line: string): boolean {
  if (line.length >= 60 && /^[A-Za-z0-9+/=]{60,}$/.test(line)) return true
  if (line.includes('%') && /\d%/.test(line) && /[█▏▎▍▌▋▊▉░▒▓#=━⣿>-]{4}/.test(line)) return true
  if (!line.includes('\ufffd')) return false
  const broken = line.split('\ufffd').length - 1
  return broken > 4 && broken * 5 > line.length
}

/** Counts the lines that differ from this one only in numbers and white space. */
export function countShape(line: string, shapes: Map<string, number>): number {
  const shape = shapeOf(line.slice(0, 160))
  const count = (shapes.get(shape) ?? 0) + 1
  if (count > 1 || shapes.size < mostShapes) shapes.set(shape, count)
  return count
}

/**
 * The line with every decimal or hexadecimal number as `0`, and every run of white space as one blank. ASCII lines take a
 * fast path, because this runs for every line of every output.
 */
export function shapeOf(line: string): string {
  let shape = ''
  let taken = 0
  let at = 0
  while (at < line.length) {
    const start = at
    const code = line.charCodeAt(at)
    if (code > 0x7f) return shapeOfAny(line)
    if (isHexadecimal(code)) {
      let hasDigit = false
      for (let next = code; isHexadecimal(next); next = line.charCodeAt(at)) {
        if (next <= 0x39) hasDigit = true
        at++
      }
      if (!hasDigit) continue
      shape += `${line.slice(taken, start)}0`
      taken = at
    } else if (isBlank(code)) {
      while (isBlank(line.charCodeAt(at))) at++
      shape += `${line.slice(taken, start)} `
      taken = at
    } else at++
  }
  return shape + line.slice(taken)
}

function shapeOfAny(line: string): string {
  return line.replaceAll(/[0-9a-f]*\d[0-9a-f]*/gi, '0').replaceAll(/\s+/g, ' ')
}

function isHexadecimal(code: number): boolean {
  const lower = code | 0x20
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66)
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
