import { firstAndLastLines } from '../../render/head-tail.ts'
import { type Operation, outputOf } from '../../words/operation.ts'
import { createDueTurns, firstSeen } from '../due-turns.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const keep = 3

/** `truncateOldErrors`: a failure that is some turns old keeps its first and last lines. */
export const truncateOldErrors: StrategyFactory = (settings) => {
  if (!settings.truncateOldErrors.enabled) return null
  const turns = Math.max(firstSeen, settings.truncateOldErrors.turns)
  const waiting = createDueTurns<Operation>()
  return {
    name: 'truncateOldErrors',
    operation(operation) {
      const { status, turn } = operation
      if (status === 'error') waiting.add(turn + turns, operation)
    },
    *request(view) {
      for (const operation of waiting.take(view.turn)) {
        const { result: item } = operation
        if (item === null || !isUntouched(item, view)) continue
        const output = outputOf(operation)
        const recall = { handle: item.handle, restore: view.restore }
        const text = firstAndLastLines(output, { keep, recall })
        if (text === output) continue
        yield {
          kind: 'show',
          item,
          rendition: { how: 'truncated', text },
          reason: 'error',
          strategy: 'truncateOldErrors',
          by: null,
        }
      }
    },
  }
}
