import type { Policy } from '../score/policy.ts'
import { prefixTokens, type Rendition, tokensOf } from '../score/session.ts'
import { charactersWith, resultsIn, type StandIn, showWith } from './stand-in.ts'

interface ClearOptions {
  /** How many of the newest tool uses it keeps. */
  readonly keep: number
  /** Nothing is cleared when it would save fewer tokens. */
  readonly clearAtLeastTokens: number
  readonly excludeTools?: readonly string[]
}

interface ClearToolUsesOptions extends ClearOptions {
  readonly name: string
  /** Input tokens, system prompt and tools included, above which it clears. */
  readonly triggerTokens: number
  readonly prefixTokens?: number
}

/** The API documents a placeholder, but not its text. */
const cleared: StandIn = { how: 'discarded', text: '[tool result cleared]' }

/**
 * Anthropic's server-side clearing. What is cleared stays cleared, because the documentation says that later requests
 * reuse the newly cached prefix; the trigger looks at what is left.
 */
export function clearToolUsesWith(options: ClearToolUsesOptions): Policy {
  const { name, triggerTokens, keep, clearAtLeastTokens } = options
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
        if (tokens > triggerTokens) clearResults(view, standIns, options)
        return showWith(view, standIns)
      }
    },
  }
}

/** Clears the old results of a view, once the trigger is passed: adds what stands for each to `standIns`. */
export function clearResults(
  view: readonly Rendition[],
  standIns: Map<number, StandIn>,
  { keep, clearAtLeastTokens, excludeTools = [] }: ClearOptions,
): void {
  const results = resultsIn(view)
  const clearable = results
    .slice(0, Math.max(0, results.length - keep))
    .filter(({ item }) => !standIns.has(item.i) && !excludeTools.includes(item.tool ?? ''))
  const won = clearable.reduce((sum, { text }) => sum + tokensOf(text), 0)
  if (won < clearAtLeastTokens) return
  for (const { item } of clearable) standIns.set(item.i, cleared)
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
