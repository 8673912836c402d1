import type { Policy } from '../score/policy.ts'
import { type Rendition, tokensOf } from '../score/session.ts'
import { promptsIn, type StandIn, showWith } from './stand-in.ts'

interface OpenCodePruneOptions {
  /** How much of the newest tool output stays. */
  readonly protectTokens: number
  /** Prunes only when it saves at least this much. */
  readonly minimumTokens: number
}

const protectedTools: ReadonlySet<string> = new Set(['skill'])
const compacted: StandIn = { how: 'discarded', text: '[Old tool result content cleared]' }

/**
 * OpenCode's own pruning, which it leaves off unless `compaction.prune` is set. It runs when the agent has answered,
 * so that the first request after a user's message is the one that shows it.
 */
export function openCodePruneWith(options: OpenCodePruneOptions): Policy {
  return {
    name: 'opencode-prune',
    source: 'OpenCode 1.18, packages/opencode/src/session/compaction.ts, prune',
    parameters: `protect=${options.protectTokens}, minimum=${options.minimumTokens}, the last 2 user turns kept`,
    begin: () => {
      const standIns = new Map<number, StandIn>()
      let known = -1
      return ({ view }) => {
        const prompts = promptsIn(view)
        const newPrompt = view.findIndex(({ item }) => item.i > known && prompts.has(item.message))
        if (known >= 0 && newPrompt >= 0) {
          for (const { item } of prunable(view.slice(0, newPrompt), standIns, options))
            standIns.set(item.i, compacted)
        }
        known = Math.max(known, view.at(-1)?.item.i ?? -1)
        return showWith(view, standIns)
      }
    },
  }
}

function prunable(
  view: readonly Rendition[],
  standIns: ReadonlyMap<number, StandIn>,
  { protectTokens, minimumTokens }: OpenCodePruneOptions,
): readonly Rendition[] {
  const found: Rendition[] = []
  let seen = 0
  let won = 0
  const prompts = promptsIn(view)
  const laterPrompts = new Set<number>()
  for (const shown of view.toReversed()) {
    if (prompts.has(shown.item.message)) laterPrompts.add(shown.item.message)
    if (laterPrompts.size < 2 || shown.item.kind !== 'result' || shown.item.status !== 'ok')
      continue
    if (protectedTools.has(shown.item.tool ?? '')) continue
    if (standIns.has(shown.item.i) || shown.how !== 'full') break
    const tokens = Math.round(tokensOf(shown.text))
    seen += tokens
    if (seen <= protectTokens) continue
    won += tokens
    found.push(shown)
  }
  return won > minimumTokens ? found : []
}

export const openCodePrune: Policy = openCodePruneWith({
  protectTokens: 40_000,
  minimumTokens: 20_000,
})
