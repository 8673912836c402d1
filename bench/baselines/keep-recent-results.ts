import type { Policy } from '../score/policy.ts'
import { resultsIn, type StandIn, showWith } from './stand-in.ts'

const dropped: StandIn = { how: 'discarded', text: '[dropped]' }

/**
 * `keep_recent_tool_results`, the rule that Smart Tool History replaced: the newest results stay, all others are
 * dropped. The call keeps its pair, because providers refuse one without the other.
 */
export function keepRecentResults(keep: number): Policy {
  return {
    name: `keep-recent-${keep}`,
    source: 'Smart Tool History, the approach that it replaces: keep_recent_tool_results',
    parameters: `n=${keep}`,
    begin:
      () =>
      ({ view }) => {
        const results = resultsIn(view)
        const old = results.slice(0, Math.max(0, results.length - keep))
        return showWith(view, new Map(old.map(({ item }) => [item.i, dropped])))
      },
  }
}

export const keepRecent30: Policy = keepRecentResults(30)
