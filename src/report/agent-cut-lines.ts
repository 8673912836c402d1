import type { AgentCut } from './agent-cut.ts'

/** `the agent itself cleared 12 results`. */
export function agentCutWords({ kind, results }: Pick<AgentCut, 'kind' | 'results'>): string {
  const count = `${results} ${results === 1 ? 'result' : 'results'}`
  return kind === 'cleared'
    ? `the agent itself cleared ${count}`
    : `the agent itself compacted its history, ${count} left it`
}

const handlesInALine = 8

/** When it was, and the handles that restore the largest results. */
export function agentCutLines(cut: AgentCut & { readonly request: number }): readonly string[] {
  const shown = cut.handles.slice(0, handlesInALine)
  const more = cut.results - shown.length
  return [
    `${agentCutWords(cut)} before request ${cut.request}; the originals are here:`,
    `  ${shown.join(' ')}${more > 0 ? ` and ${more} more` : ''}`,
  ]
}

/** What an agent removed from its own history in a whole session. */
export function ownCutsLine(cuts: {
  readonly results: number
  readonly compactions: number
}): string {
  const { results, compactions } = cuts
  const parts = [
    ...(results === 0 ? [] : [`cleared ${results} ${results === 1 ? 'result' : 'results'}`]),
    ...(compactions === 0
      ? []
      : [`compacted its history ${compactions === 1 ? 'once' : `${compactions} times`}`]),
  ]
  return `The agent itself ${parts.join(' and ')}. \`palimpsest show\` lists the handles of the originals of a session behind the gateway.`
}
