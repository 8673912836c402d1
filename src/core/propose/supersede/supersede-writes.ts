import { strippedInput } from '../../render/index.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { isCovered, wholeFile } from './file-touch.ts'
import { touchesOf } from './file-touches.ts'
import { isOpen, isShownInFull, succeeded } from './outcome.ts'

const strategy = 'supersedeWrites'

/** The text of a file that was written and then read whole stands in the read, so the write's input lets go of it. */
export const supersedeWrites: StrategyFactory = (settings) => {
  if (!settings.supersedeWrites) return null
  const writes = new Map<string, readonly CallItem[]>()
  return {
    name: strategy,
    *operation(operation, view) {
      if (!succeeded(operation)) return
      const { touches, isAll } = touchesOf(operation)
      for (const touch of touches) {
        const earlier = writes.get(touch.path) ?? []
        if (touch.kind === 'read' && isCovered(wholeFile, touch.covers)) {
          for (const call of earlier) yield* strip(call, operation, view)
          const parallel = earlier.filter((call) => call.turn >= operation.turn)
          if (parallel.length === 0) writes.delete(touch.path)
          else writes.set(touch.path, parallel)
        } else if (touch.kind === 'write' && isAll && touches.length === 1) {
          writes.set(touch.path, [...earlier, operation.call])
        }
      }
    },
  }
}

function* strip(call: CallItem, by: Operation, view: View): Proposals {
  if (call.turn >= by.turn || by.result === null || !isShownInFull(by, view)) return
  const written = view.operationOf(call)
  if (written === undefined || !isOpen(call, view)) return
  if (view.decisions.of(call.index) !== undefined) return
  const rendition = strippedInput(written, view.restore)
  if (rendition === null) return
  yield { kind: 'show', item: call, rendition, reason: 'input', strategy, by: by.result }
}
