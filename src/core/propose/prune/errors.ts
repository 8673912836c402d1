import { firstAndLastLines } from '../../render/head-tail.ts'
import { purgedError } from '../../render/placeholders.ts'
import { strippedInput } from '../../render/stripped-input.ts'
import { namesTool } from '../../words/name-pattern.ts'
import { type Operation, outputOf } from '../../words/operation.ts'
import { createDueTurns, firstSeen } from '../due-turns.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

/** How many lines at each end stay of an old failure. */
const keptLines = 3

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
        const text = firstAndLastLines(output, { keep: keptLines, recall })
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

const strategy = 'purgeErrors'

/** `purgeErrors`: a failure that is some turns old keeps what failed and why, in one line; its input goes. */
export const purgeErrors: StrategyFactory = (settings) => {
  if (!settings.purgeErrors.enabled) return null
  const { protectedTools } = settings.purgeErrors
  const turns = Math.max(firstSeen, settings.purgeErrors.turns)
  const waiting = createDueTurns<Operation>()
  return {
    name: strategy,
    operation(operation) {
      if (operation.status !== 'error' || namesTool(protectedTools, operation.call.tool)) return
      waiting.add(operation.turn + turns, operation)
    },
    *request(view) {
      for (const operation of waiting.take(view.turn)) {
        const { call, result } = operation
        if (result === null || !view.isVisible(result)) continue
        const text = purgedError(operation, view.restore)
        const standing = view.decisions.of(result.index) ?? view.awaited(result)
        // An error that was only shortened so far may still go.
        const isOld = standing === undefined || standing.strategy === 'truncateOldErrors'
        if (text !== null && isOld && !view.decisions.isReverted(result.index)) {
          const rendition = { how: 'discarded', text } as const
          yield { kind: 'show', item: result, rendition, reason: 'error', strategy, by: null }
        }
        const rendition =
          isOld && isUntouched(call, view) ? strippedInput(operation, view.restore) : null
        if (rendition !== null) {
          yield { kind: 'show', item: call, rendition, reason: 'input', strategy, by: null }
        }
      }
    },
  }
}
