import { firstAndLastLines } from '../render/first-last-lines.ts'
import type { StrategyFactory } from '../strategy.ts'
import type { ResultItem } from '../track/operation.ts'
import { createDueTurns, firstSeen } from './due-turns.ts'
import { isOpen } from './open-item.ts'

const keep = 3

/** `truncateOldErrors`: a failure that is some turns old keeps its first and last lines. */
export const truncateOldErrors: StrategyFactory = (settings) => {
  if (!settings.truncateOldErrors.enabled) return null
  const turns = Math.max(firstSeen, settings.truncateOldErrors.turns)
  const waiting = createDueTurns<ResultItem>()
  return {
    name: 'truncateOldErrors',
    operation({ result, status, turn }) {
      if (result !== null && status === 'error') waiting.add(turn + turns, result)
    },
    request(scene) {
      for (const item of waiting.take(scene.turn)) {
        if (!isOpen(item, scene)) continue
        const recall = { handle: item.handle, restore: scene.restore }
        const text = firstAndLastLines(item.text, { keep, recall })
        if (text === item.text) continue
        scene.propose({
          item,
          rendition: { how: 'truncated', text },
          reason: 'error',
          strategy: 'truncateOldErrors',
          by: null,
        })
      }
    },
  }
}
