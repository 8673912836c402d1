import { type AttachmentItem, maskedAttachment } from '../../render/placeholders.ts'
import { createDueTurns } from '../due-turns.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

/** `pruneFiles`: an image or document outside the protected turns is replaced by its name once the model has seen it. */
export const pruneFiles: StrategyFactory = (settings) => {
  if (!settings.pruneFiles) return null
  const waiting = createDueTurns<AttachmentItem>()
  return {
    name: 'pruneFiles',
    items: ['attachment'],
    message(message) {
      for (const item of message.items) {
        if (item.kind !== 'attachment') continue
        // An attachment of a result has the turn of its call, and is first sent one turn later.
        const isAnswer = message.role === 'tool' || item.call !== undefined
        waiting.add(item.turn + (isAnswer ? 2 : 1), item)
      }
    },
    *request(view) {
      for (const item of waiting.take(view.turn)) {
        const text = isUntouched(item, view) ? maskedAttachment(item, view.restore) : null
        if (text === null) continue
        yield {
          kind: 'show',
          item,
          rendition: { how: 'masked', text },
          reason: 'attachment',
          strategy: 'pruneFiles',
          by: null,
        }
      }
    },
  }
}
