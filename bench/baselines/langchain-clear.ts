import type { Policy } from '../score/policy.ts'
import { viewTokens } from '../score/session.ts'
import { resultsIn, type StandIn, showWith } from './stand-in.ts'

interface LangChainOptions {
  readonly name?: string
  readonly triggerTokens: number
  readonly keep: number
  /** Stops after saving this many tokens; 0 clears as much as possible. */
  readonly clearAtLeastTokens: number
  readonly excludeTools: readonly string[]
  /** What is counted besides the messages; its default counter counts nothing else. */
  readonly prefixTokens?: number
}

const cleared: StandIn = { how: 'discarded', text: '[cleared]' }

/**
 * LangChain's `ClearToolUsesEdit`. It works on a copy of the messages at each call and remembers nothing, so that each
 * request above the trigger clears all but the newest results again. It counts messages, not system and tools.
 */
export function langChainClearWith(options: LangChainOptions): Policy {
  const { triggerTokens, keep, clearAtLeastTokens, excludeTools, prefixTokens = 0 } = options
  const counted = prefixTokens === 0 ? 'messages only' : 'system and tools counted'
  return {
    name: options.name ?? 'langchain-clear',
    source: 'LangChain 1.x, agents/middleware/context_editing.py, ClearToolUsesEdit',
    parameters: `trigger=${triggerTokens}, keep=${keep}, clear_at_least=${clearAtLeastTokens}, ${counted}`,
    begin:
      () =>
      ({ view }) => {
        const standIns = new Map<number, StandIn>()
        if (prefixTokens + viewTokens(view) <= triggerTokens) return showWith(view, standIns)
        const results = resultsIn(view)
        let won = 0
        for (const { item, text } of results.slice(0, Math.max(0, results.length - keep))) {
          if (excludeTools.includes(item.tool ?? '')) continue
          standIns.set(item.i, cleared)
          won += (text.length - cleared.text.length) / 4
          if (clearAtLeastTokens > 0 && won >= clearAtLeastTokens) break
        }
        return showWith(view, standIns)
      },
  }
}

export const langChainClear: Policy = langChainClearWith({
  triggerTokens: 100_000,
  keep: 3,
  clearAtLeastTokens: 0,
  excludeTools: [],
})
