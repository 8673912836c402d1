import { distilledReasoning as distilled } from '../../render/marks.ts'
import type { Item } from '../../words/item.ts'
import { createDueTurns } from '../due-turns.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isOpen } from './open-item.ts'

/**
 * `pruneThinking`: old reasoning without a signature. It may be a field that must stay, so it keeps one character. Signed
 * and opaque blocks are left alone.
 */
export const pruneThinking: StrategyFactory = (settings) => {
  if (!settings.pruneThinking.enabled) return null
  const { turns } = settings.pruneThinking
  const waiting = createDueTurns<Item>()
  return {
    name: 'pruneThinking',
    items: ['reasoning'],
    message(message) {
      for (const item of message.items) {
        if (item.kind !== 'reasoning' || item.binding !== 'plain') continue
        if (item.text.length > distilled.length) waiting.add(item.turn + turns, item)
      }
    },
    *request(view) {
      for (const item of waiting.take(view.turn)) {
        if (!isOpen(item, view)) continue
        yield {
          kind: 'show',
          item,
          rendition: { how: 'distilled', text: distilled },
          reason: 'reasoning',
          strategy: 'pruneThinking',
          by: null,
        }
      }
    },
  }
}
