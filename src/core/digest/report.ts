import { compose } from './compose.ts'
import type { OutputKind } from './output-kind.ts'
import { type Worth, worth } from './piece.ts'
import { weighLines } from './plain.ts'

/** What a sub-agent or a web search wrote: prose for this agent, with headings, names and code. */
export const report: OutputKind = {
  kind: 'report',
  fits({ source: { action } }) {
    return action?.kind === 'task' || (action?.kind === 'fetch' && action.url === null) ? 0.9 : 0
  },
  digest(output, limits) {
    const weigh = (line: string): Worth | null => {
      if (/^#{1,6} |^\*\*/.test(line)) return worth.telling
      return /[`/]|\w\(\)/.test(line) ? worth.naming : null
    }
    return compose(weighLines(output, weigh), { limits, lines: output.lines, marksCuts: true })
  },
}
