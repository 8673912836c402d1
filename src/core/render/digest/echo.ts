import type { Output, OutputKind } from './output.ts'
import { worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'

const fileLine = /^\s*(?:L?\d+[\t→|:]|\d+\s{1,4}\S|[-+ ] )/

/**
 * The result of a file change: a confirmation, diagnostics, and some of the changed lines, which the call already
 * contains.
 */
export const echo: OutputKind = {
  kind: 'echo',
  bestFit: 0.95,
  fits({ source: { action } }) {
    return action?.kind === 'write' || action?.kind === 'edit' || action?.kind === 'patch'
      ? 0.95
      : 0
  },
  digest(output, limits) {
    return composeLines(echoedLines(output), output, limits)
  },
}

const echoedLines = (output: Output) =>
  weighLines(output, (line, at) => {
    if (output.reportsFailure(line)) return worth.must
    if (at < 4) return worth.must
    return fileLine.test(line) ? worth.plain : null
  })
