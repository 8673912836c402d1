import { pointerTo } from '../../render/index.ts'
import { pointedTurn } from '../../render/marks.ts'
import { inputKey } from '../../words/call-key.ts'
import { type CallItem, type Operation, outputOf } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { openOf, withParallel } from './newest-by-key.ts'
import { hasEqualResult, isAnswered, isAsWhole } from './outcome.ts'
import { isComparedByInput, pointsBack } from './repetition.ts'

const reason = 'hash'
const strategy = 'deduplication'

/**
 * The same tool with the same input again: the newer call stays. With `mode: 'pointer'`, a repetition that says nothing
 * new becomes a pointer to the earlier result instead, as long as that is visible in full.
 */
export const hash: StrategyFactory = (settings) => {
  if (!settings.deduplication.enabled) return null
  /** By tool and then by input. */
  const showing = new Map<string, Map<string, readonly CallItem[]>>()

  function ofTool(tool: string): Map<string, readonly CallItem[]> {
    const known = showing.get(tool)
    if (known !== undefined) return known
    const added = new Map<string, readonly CallItem[]>()
    showing.set(tool, added)
    return added
  }

  return {
    name: strategy,
    *operation(newer, view) {
      if (!isComparedByInput(newer, view)) return
      if (!isAnswered(newer, view)) {
        const turn = newer.result === null ? null : pointedTurn(newer.result.text)
        if (turn !== null)
          yield* keep(ofTool(newer.call.tool).get(inputKey(newer.call)) ?? [], turn, view)
        return
      }
      const key = inputKey(newer.call)
      const byInput = ofTool(newer.call.tool)
      const calls = byInput.get(key)
      if (calls === undefined) {
        byInput.set(key, [newer.call])
        return
      }
      const earlier = openOf(calls, view)
      for (const older of earlier) {
        if (!pointsBack(older, newer, view)) continue
        yield* point(newer, older, view)
        return
      }
      for (const older of earlier) {
        if (older.turn < newer.turn && isReplaced(older, newer)) {
          yield { kind: 'supersede', older, by: newer, reason, strategy }
        }
      }
      byInput.set(key, withParallel(earlier, newer))
    },
  }
}

/** What something in the page points to has to stay. */
function* keep(calls: readonly CallItem[], turn: number, view: View): Proposals {
  for (const call of calls) {
    const operation = view.operationOf(call)
    const result = operation?.turn === turn ? operation.result : null
    if (result !== null) yield { kind: 'take-back', item: result }
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

/** Each poll of a running command gives what came since the last one, so that only equal ones repeat each other. */
function isReplaced(older: Operation, newer: Operation): boolean {
  if (newer.action.kind === 'shell' && newer.action.continues) return hasEqualResult(older, newer)
  return isAsWhole(older, newer)
}
