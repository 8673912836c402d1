import { shortLine } from './clean-lines.ts'
import { compose } from './compose.ts'
import type { Output } from './output.ts'
import type { OutputKind } from './output-kind.ts'
import { type Piece, type Worth, worth } from './piece.ts'

const separators: readonly RegExp[] = [/\t/g, / {2,}(?=\S)/g, /(?: \| |^\||\|$|│)/g, /,(?=\S)/g]
const shownHead = 10
const shownTail = 4

/** Rows of equal columns: the head, the first and the last rows, and those that the conversation is about. */
export const table: OutputKind = {
  kind: 'table',
  fits(output) {
    const { action } = output.source
    if (action !== null && action.kind !== 'shell' && action.kind !== 'other') return 0
    return output.sample.length >= 12 && columnShare(output) > 0.85 ? 0.58 : 0
  },
  digest(output, limits) {
    return compose(rows(output), { limits, lines: output.lines, marksCuts: true })
  },
}

/** The share of lines that have as many columns as most have, by the separator that fits best. */
function columnShare({ sample }: Output): number {
  const shares = separators.map((separator) => {
    const counts = new Map<number, number>()
    for (const line of sample) {
      const columns = line.match(separator)?.length ?? 0
      if (columns >= 2) counts.set(columns, (counts.get(columns) ?? 0) + 1)
    }
    return Math.max(0, ...counts.values()) / sample.length
  })
  return Math.max(...shares)
}

function rows(output: Output): readonly Piece[] {
  const { lines } = output
  return lines.map((line, at) => {
    const text = shortLine(line.trimEnd(), 300)
    return { text, first: at, last: at, worth: worthOf(line, at, output) }
  })
}

function worthOf(line: string, at: number, output: Output): Worth {
  if (line.trim() === '') return worth.noise
  if (at < 3 || output.reportsFailure(line)) return worth.must
  if (at < shownHead || at >= output.lines.length - shownTail) return worth.frame
  return output.isAboutKnown(line) ? worth.naming : worth.little
}
