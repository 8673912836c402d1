import { compose } from './compose.ts'
import type { OutputKind } from './output-kind.ts'
import { type Worth, worth } from './piece.ts'
import { weighLines } from './plain.ts'

const told = /^\s*(?:L?\d+[\t→|:]|\d+\s{1,4}\S|[-+ ] )/

/**
 * What an agent prints after it has changed a file: the words around it, diagnostics, and some of the lines, which
 * the call itself holds already.
 */
export const echo: OutputKind = {
  kind: 'echo',
  fits({ source: { action } }) {
    return action?.kind === 'write' || action?.kind === 'edit' || action?.kind === 'patch'
      ? 0.95
      : 0
  },
  digest(output, limits) {
    const weigh = (line: string, at: number): Worth | null => {
      if (output.reportsFailure(line)) return worth.must
      if (at < 4) return worth.must
      return told.test(line) ? worth.plain : null
    }
    return compose(weighLines(output, weigh), { limits, lines: output.lines, marksCuts: true })
  },
}
