import { asAgentShows, type Policy } from '../score/policy.ts'
import type { Rendition } from '../score/session.ts'
import { promptsIn } from './stand-in.ts'

/**
 * Anthropic's server-side clearing of thinking. A turn is all that the assistant does between two messages of the
 * user, tool calls included, so nothing goes while it works on one. Its default depends on the model: the last turn
 * up to Opus 4.1, Sonnet 4.5 and every Haiku, all turns from Opus 4.5 and Sonnet 4.6 on. All turns is what `none`
 * shows, so the last turn is measured here, for every session.
 */
export function clearThinkingWith(thinkingTurns: number): Policy {
  return {
    name: 'clear-thinking',
    source: 'Anthropic API, context editing, clear_thinking_20251015',
    parameters: `keep=${thinkingTurns} thinking turn, the default before Opus 4.5 and Sonnet 4.6 and of every Haiku (later models keep all, as none does)`,
    begin:
      () =>
      ({ view }) => {
        const turns = thinkingTurnsIn(view)
        const kept = new Set([...new Set(turns.values())].slice(-thinkingTurns))
        return view
          .filter(({ item }) => {
            const turn = turns.get(item.i)
            return turn === undefined || kept.has(turn)
          })
          .map(asAgentShows)
      },
  }
}

/** The turn of each item of reasoning, by the number of the item; oldest first. */
function thinkingTurnsIn(view: readonly Rendition[]): ReadonlyMap<number, number> {
  const prompts = promptsIn(view)
  const turns = new Map<number, number>()
  let prompt = -1
  for (const { item } of view) {
    if (prompts.has(item.message)) prompt = item.message
    if (item.kind === 'reasoning') turns.set(item.i, prompt)
  }
  return turns
}

export const clearThinking: Policy = clearThinkingWith(1)
