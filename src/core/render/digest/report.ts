import type { Output } from './output.ts'
import type { OutputKind } from './output-kind.ts'
import { worth } from './piece.ts'
import { composeLines, weighLines } from './plain.ts'
import { oncePerSight } from './sight.ts'

/** What a sub-agent or a web search wrote: prose for this agent, with headings, names and code. */
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

const paragraphs = oncePerSight((output: Output) =>
  weighLines(output, (line) => {
    if (/^#{1,6} |^\*\*/.test(line)) return worth.telling
    return /[`/]|\w\(\)/.test(line) ? worth.naming : null
  }),
)
