import { distilledReasoning as distilled } from '../../render/marks.ts'
import type { RenditionProposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import { createDueTurns } from '../due-turns.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

/**
 * `pruneThinking`: removes reasoning that is older than `turns` requests. Unsigned text keeps one character, because the field
 * may be required. Signed blocks go whole, and only where sent bytes change anyway. Opaque blocks are left alone.
 */
export const pruneThinking: StrategyFactory = (settings) => {
  if (!settings.pruneThinking.enabled) return null
  const { turns } = settings.pruneThinking
  const waiting = createDueTurns<Item>()
  const signed: Item[] = []
  return {
    name: 'pruneThinking',
    items: ['reasoning'],
    message(message) {
      for (const item of message.items) {
        if (item.kind !== 'reasoning' || item.text.length <= distilled.length) continue
        if (item.binding === 'plain') waiting.add(item.turn + turns, item)
        else if (item.binding === 'signed') signed.push(item)
      }
    },
    *request(view) {
      for (const item of waiting.take(view.turn)) {
        if (isUntouched(item, view)) yield proposalFor(item, distilled)
      }
    },
    *epoch(view) {
      for (const item of [...signed]) {
        if (!view.mayChange(item) || view.turn - item.turn < turns) continue
        if ((yield proposalFor(item, null)) === 'decided') signed.splice(signed.indexOf(item), 1)
      }
    },
  }
}

function proposalFor(item: Item, text: string | null): RenditionProposal {
  const rendition = { how: 'distilled', text } as const
  return { kind: 'show', item, rendition, reason: 'reasoning', strategy: 'pruneThinking', by: null }
}
