import type { Policy } from '../score/policy.ts'
import { prefixTokens, tokensOf } from '../score/session.ts'
import { charactersWith, resultsIn, type StandIn, showWith } from './stand-in.ts'

interface ClearToolUsesOptions {
  readonly name: string
  /** Input tokens, system prompt and tools included, above which it clears. */
  readonly triggerTokens: number
  /** How many of the newest tool uses it keeps. */
  readonly keep: number
  /** Nothing is cleared when it would save fewer tokens. */
  readonly clearAtLeastTokens: number
  readonly excludeTools?: readonly string[]
  readonly prefixTokens?: number
}

/** The API documents a placeholder, but not its text. */
const cleared: StandIn = { how: 'discarded', text: '[tool result cleared]' }

/**
 * Anthropic's server-side clearing. What is cleared stays cleared, because the documentation says that later requests
 * reuse the newly cached prefix; the trigger looks at what is left.
 */
export function clearToolUsesWith(options: ClearToolUsesOptions): Policy {
  const { name, triggerTokens, keep, clearAtLeastTokens, excludeTools = [] } = options
  const least = clearAtLeastTokens === 0 ? '' : `, clear_at_least=${clearAtLeastTokens}`
  return {
    name,
    source: 'Anthropic API, context editing, clear_tool_uses_20250919',
    parameters: `trigger=${triggerTokens} input tokens, keep=${keep}${least}`,
    begin: () => {
      const standIns = new Map<number, StandIn>()
      return ({ view }) => {
        const before = charactersWith(view, standIns)
        const tokens = (options.prefixTokens ?? prefixTokens) + before / 4
        if (tokens > triggerTokens) {
          const results = resultsIn(view)
          const clearable = results
            .slice(0, Math.max(0, results.length - keep))
            .filter(({ item }) => !standIns.has(item.i) && !excludeTools.includes(item.tool ?? ''))
          const won = clearable.reduce((sum, { text }) => sum + tokensOf(text), 0)
          if (won >= clearAtLeastTokens)
            for (const { item } of clearable) standIns.set(item.i, cleared)
        }
        return showWith(view, standIns)
      }
    },
  }
}

export const clearToolUses: Policy = clearToolUsesWith({
  name: 'clear-tool-uses',
  triggerTokens: 100_000,
  keep: 3,
  clearAtLeastTokens: 0,
})

export const clearToolUsesAtLeast20k: Policy = clearToolUsesWith({
  name: 'clear-tool-uses-min20k',
  triggerTokens: 100_000,
  keep: 3,
  clearAtLeastTokens: 20_000,
})
