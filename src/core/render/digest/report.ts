import type { Output, OutputKind } from './output.ts'
import { worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'

/** The report of a sub-agent or a web search: prose with headings, names and code. */
export const report: OutputKind = {
  kind: 'report',
  bestFit: 0.9,
  fits({ source: { action } }) {
    return action?.kind === 'task' || (action?.kind === 'fetch' && action.url === null) ? 0.9 : 0
  },
  digest(output, limits) {
    return composeLines(paragraphs(output), output, limits)
  },
}

const paragraphs = (output: Output) =>
  weighLines(output, (line) => {
    if (/^#{1,6} |^\*\*/.test(line)) return worth.informative
    return /[`/]|\w\(\)/.test(line) ? worth.naming : null
  })
