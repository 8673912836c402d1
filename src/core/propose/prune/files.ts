import { type AttachmentItem, maskedAttachment } from '../../render/stand-in.ts'
import { createDueTurns } from '../due-turns.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isOpen } from './open-item.ts'

/** `pruneFiles`: an image or a document that the model has seen and that is out of the protected turns is only named. */
export const pruneFiles: StrategyFactory = (settings) => {
  if (!settings.pruneFiles) return null
  const waiting = createDueTurns<AttachmentItem>()
  return {
    name: 'pruneFiles',
    items: ['attachment'],
    message(message) {
      for (const item of message.items) {
        if (item.kind !== 'attachment') continue
        // What came with a result has the turn of its call, and is first shown at the turn after that.
        const isAnswer = message.role === 'tool' || item.call !== undefined
        waiting.add(item.turn + (isAnswer ? 2 : 1), item)
      }
    },
    *request(view) {
      for (const item of waiting.take(view.turn)) {
        const text = isOpen(item, view) ? maskedAttachment(item, view.restore) : null
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
