import { distilledReasoning as distilled } from '../../render/marks.ts'
import type { Item } from '../../words/item.ts'
import { createDueTurns } from '../due-turns.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

/**
 * `pruneThinking`: removes old unsigned reasoning. It keeps one character, because the field may be required. Signed and
 * opaque blocks are left alone.
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
        if (!isUntouched(item, view)) continue
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
