import { purgedError } from '../../render/stand-in.ts'
import { strippedInput } from '../../render/stripped-input.ts'
import type { Operation } from '../../words/operation.ts'
import { namesTool } from '../../words/protected-tool.ts'
import type { StrategyFactory } from '../strategy.ts'
import { createDueTurns, firstSeen } from './due-turns.ts'
import { isOpen } from './open-item.ts'

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
    request(scene) {
      for (const operation of waiting.take(scene.turn)) {
        const { call, result } = operation
        if (result === null || !scene.isVisible(result)) continue
        const text = purgedError(operation, scene.restore)
        const standing = scene.ledger.of(result.index) ?? scene.awaited(result)
        // An error that was only shortened so far may still go.
        const isOld = standing === undefined || standing.strategy === 'truncateOldErrors'
        if (text !== null && isOld && !scene.ledger.isReverted(result.index)) {
          const rendition = { how: 'discarded', text } as const
          scene.propose({ item: result, rendition, reason: 'error', strategy, by: null })
        }
        const rendition =
          isOld && isOpen(call, scene) ? strippedInput(operation, scene.restore) : null
        if (rendition !== null) {
          scene.propose({ item: call, rendition, reason: 'input', strategy, by: null })
        }
      }
    },
  }
}
