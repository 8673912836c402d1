import { strippedInput } from '../../render/index.ts'
import { isCovered, wholeFile } from '../../words/effects.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { isHideable, isShownInFull, succeeded } from './outcome.ts'

const strategy = 'supersedeWrites'

/** When a written file is later read whole, the read shows its text, so the write's input is stripped. */
export const supersedeWrites: StrategyFactory = (settings) => {
  if (!settings.supersedeWrites) return null
  const writes = new Map<string, readonly CallItem[]>()
  return {
    name: strategy,
    *operation(operation, view) {
      if (!succeeded(operation)) return
      const { touches, isOnlyFiles } = operation.effects
      for (const touch of touches) {
        const earlier = writes.get(touch.path) ?? []
        if (touch.kind === 'read' && isCovered(wholeFile, touch.covers)) {
          for (const call of earlier) yield* strip(call, operation, view)
          const parallel = earlier.filter((call) => call.turn >= operation.turn)
          if (parallel.length === 0) writes.delete(touch.path)
          else writes.set(touch.path, parallel)
        } else if (touch.kind === 'write' && isOnlyFiles && touches.length === 1) {
          writes.set(touch.path, [...earlier, operation.call])
        }
      }
    },
  }
}

function* strip(call: CallItem, by: Operation, view: View): Proposals {
  if (call.turn >= by.turn || by.result === null || !isShownInFull(by, view)) return
  const written = view.operationOf(call)
  if (written === undefined || !isHideable(call, view)) return
  if (view.decisions.of(call.index) !== undefined) return
  const rendition = strippedInput(written, view.restore)
  if (rendition === null) return
  yield { kind: 'show', item: call, rendition, reason: 'input', strategy, by: by.result }
}
