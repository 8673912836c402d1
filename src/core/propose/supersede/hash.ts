import { pointerTo } from '../../render/index.ts'
import { claimsIn } from '../../render/marks.ts'
import { callKey } from '../../words/call-key.ts'
import { type CallItem, type Operation, outputOf } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { withParallel } from './newest-by-key.ts'
import { hasEqualResult, hideableOf, isAnswered, isAsWhole } from './outcome.ts'
import { becomesPointer, isComparedByInput } from './repetition.ts'

const reason = 'hash'
const strategy = 'deduplication'

/**
 * Repeated calls of the same tool with the same input: the newer call stays. With `mode: 'pointer'`, an equal repeated
 * result becomes a pointer to the earlier one instead, as long as that is shown in full.
 */
export const hash: StrategyFactory = (settings) => {
  if (!settings.deduplication.enabled) return null
  const showing = new Map<string, readonly CallItem[]>()
  return {
    name: strategy,
    *operation(newer, view) {
      if (!isComparedByInput(newer, view)) return
      const key = callKey(newer.call)
      const calls = showing.get(key) ?? []
      if (!isAnswered(newer, view)) {
        if (newer.result !== null) yield* keep(calls, newer.result.text, view)
        return
      }
      const earlier = hideableOf(calls, view)
      for (const older of earlier) {
        if (!becomesPointer(older, newer, view)) continue
        yield* point(newer, older, view)
        return
      }
      for (const older of earlier) {
        if (older.turn < newer.turn && isReplaced(older, newer)) {
          yield { kind: 'supersede', older, by: newer, reason, strategy }
        }
      }
      showing.set(key, withParallel(earlier, newer))
    },
  }
}

/** The target of a pointer has to stay. */
function* keep(calls: readonly CallItem[], pointer: string, view: View): Proposals {
  const handles = new Set(claimsIn(pointer).map(({ handle }) => handle))
  for (const call of calls) {
    const result = view.operationOf(call)?.result ?? null
    if (result !== null && handles.has(result.handle)) yield { kind: 'take-back', item: result }
  }
}

function* point(newer: Operation, target: Operation, view: View): Proposals {
  const { result } = newer
  if (result === null || target.result === null) return
  const text = pointerTo(target, { text: outputOf(newer), handle: result.handle }, view.restore)
  if (text === null) return
  yield {
    kind: 'show',
    item: result,
    rendition: { how: 'pointer', text },
    reason,
    strategy,
    by: target.result,
  }
}

/** A poll of a running command prints only what is new, so it replaces only an equal result. */
function isReplaced(older: Operation, newer: Operation): boolean {
  if (newer.action.kind === 'shell' && newer.action.continues) return hasEqualResult(older, newer)
  return isAsWhole(older, newer)
}
