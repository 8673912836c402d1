import { shortenCodeBlocks } from '../../render/code-blocks.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isOpen } from './open-item.ts'

const limit = 20
const keep = 3

/** `pruneUserCodeBlocks`: long fenced blocks that a user pasted keep their ends; prose stays as it is. */
export const pruneUserCodeBlocks: StrategyFactory = (settings) =>
  settings.pruneUserCodeBlocks
    ? {
        name: 'pruneUserCodeBlocks',
        items: ['text'],
        *message(message, view) {
          if (message.role !== 'user') return
          for (const item of message.items) {
            if (item.kind !== 'text' || !isOpen(item, view)) continue
            const recall = { handle: item.handle, restore: view.restore }
            const text = shortenCodeBlocks(item.text, { limit, keep, recall })
            if (text === item.text) continue
            yield {
              kind: 'show',
              item,
              rendition: { how: 'truncated', text },
              reason: 'code-block',
              strategy: 'pruneUserCodeBlocks',
              by: null,
            }
          }
        },
      }
    : null
