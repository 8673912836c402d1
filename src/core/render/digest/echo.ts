import type { Output } from './output.ts'
import type { OutputKind } from './output-kind.ts'
import { worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'
import { oncePerSight } from './sight.ts'

const fileLine = /^\s*(?:L?\d+[\t→|:]|\d+\s{1,4}\S|[-+ ] )/

/**
 * What an agent prints after it has changed a file: the words around it, diagnostics, and some of the lines, which
 * the call itself holds already.
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
    return composeLines(told(output), output, limits)
  },
}

const told = oncePerSight((output: Output) =>
  weighLines(output, (line, at) => {
    if (output.reportsFailure(line)) return worth.must
    if (at < 4) return worth.must
    return fileLine.test(line) ? worth.plain : null
  }),
)
