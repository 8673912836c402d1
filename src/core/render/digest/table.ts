import { shortLine } from './clean-lines.ts'
import { compose } from './compose.ts'
import type { Output, OutputKind } from './output.ts'
import { type Piece, type Worth, type WorthByNames, worth } from './piece.ts'

const separators: readonly RegExp[] = [/\t/g, / {2,}(?=\S)/g, /(?: \| |^\||\|$|│)/g, /,(?=\S)/g]
const leastAlike = 0.85
const shownHead = 10
const shownTail = 4

/** Rows with equal columns: the head, and the first and last rows. */
export const table: OutputKind = {
  kind: 'table',
  bestFit: 0.58,
  fits(output) {
    const { action } = output.source
    if (action !== null && action.kind !== 'shell' && action.kind !== 'other') return 0
    const { sample } = output
    if (sample.length < 12) return 0
    return separators.some((separator) => hasColumns(sample, separator)) ? 0.58 : 0
  },
  digest(output, limits) {
    return compose(rows(output), { limits, output, marksCuts: true })
  },
}

/** True when nearly all lines have the same number of columns. */
function hasColumns(sample: readonly string[], separator: RegExp): boolean {
  const counts = new Map<number, number>()
  let others = 0
  for (const line of sample) {
    const columns = line.match(separator)?.length ?? 0
    if (columns >= 2) counts.set(columns, (counts.get(columns) ?? 0) + 1)
    else if (++others / sample.length >= 1 - leastAlike) return false
  }
  return Math.max(0, ...counts.values()) / sample.length > leastAlike
}

const rows = (output: Output): readonly Piece[] =>
  output.lines.map((line, at) => {
    const text = shortLine(line.trimEnd(), 300)
    return { text, first: at, last: at, worth: worthOf(line, at, output) }
  })

function worthOf(line: string, at: number, output: Output): Worth | WorthByNames {
  if (line.trim() === '') return worth.noise
  if (at < 3 || output.reportsFailure(line)) return worth.must
  if (at < shownHead || at >= output.lines.length - shownTail) return worth.frame
  return worth.little
}
