import { strippedInput } from '../../render/index.ts'
import type { Operation } from '../../words/operation.ts'
import { isUntouched } from '../prune/untouched.ts'
import type { StrategyFactory } from '../strategy.ts'
import { failed, isHideable, succeeded } from './outcome.ts'

const strategy = 'planSupersede'
/** The tool with which an agent presents its plan to the user. */
const planTool = /^(?:exit_?plan_?mode|plan_exit)$/i

/**
 * `planSupersede`: an accepted plan replaces the earlier ones. Of a rejected plan only the input is hidden, because the
 * result says what the user wanted instead.
 */
export const plan: StrategyFactory = (settings) => {
  if (!settings.planSupersede) return null
  let plans: Operation[] = []
  return {
    name: strategy,
    *operation(newer, view) {
      if (!planTool.test(newer.call.tool)) return
      if (succeeded(newer)) {
        for (const older of plans) {
          if (older.turn >= newer.turn || older.result === null) continue
          if (failed(older)) {
            const rendition = strippedInput(older, view.restore)
            if (rendition === null || !isUntouched(older.call, view)) continue
            yield {
              kind: 'show',
              item: older.call,
              rendition,
              reason: 'todo',
              strategy,
              by: newer.call,
            }
          } else if (isHideable(older.result, view))
            yield { kind: 'supersede', older, by: newer, reason: 'todo', strategy }
        }
        plans = plans.filter(({ turn }) => turn >= newer.turn)
      }
      plans.push(newer)
    },
  }
}
