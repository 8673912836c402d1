import type { ActionKind } from '../../words/action.ts'
import type { SupersedeKind } from '../../words/decision.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Strategy, View } from '../strategy.ts'
import { isAnswered, isAsWhole, isOpen } from './outcome.ts'
import { pointsBack } from './repetition.ts'

export interface NewestByKey {
  readonly reason: SupersedeKind
  /** The configuration key. */
  readonly strategy: string
  readonly actions?: readonly ActionKind[]
  /** What the call is about; null when it is none of this strategy's business. */
  keyOf(operation: Operation): string | null
}

/** Of all successful calls about the same thing, the newest stays; under `pointer`, the first of equal ones. */
export function newestByKey({ reason, strategy, keyOf, ...actions }: NewestByKey): Strategy {
  const showing = new Map<string, readonly CallItem[]>()
  return {
    name: strategy,
    ...actions,
    *operation(newer, view) {
      const key = keyOf(newer)
      if (key === null || !isAnswered(newer, view)) return
      const calls = showing.get(key)
      if (calls === undefined) {
        showing.set(key, [newer.call])
        return
      }
      const open = openOf(calls, view)
      for (const older of open) if (pointsBack(older, newer, view)) return
      for (const older of open) {
        if (older.turn < newer.turn && isAsWhole(older, newer)) {
          yield { kind: 'supersede', older, by: newer, reason, strategy }
        }
      }
      showing.set(key, withParallel(open, newer))
    },
  }
}

/** Those of the calls whose results are there to be hidden. */
export function openOf(calls: readonly CallItem[], view: View): readonly Operation[] {
  const [only] = calls
  if (calls.length === 1 && only !== undefined) {
    const operation = openAt(only, view)
    return operation === null ? none : [operation]
  }
  return calls.flatMap((call) => openAt(call, view) ?? [])
}

const none: readonly Operation[] = []

function openAt(call: CallItem, view: View): Operation | null {
  const operation = view.operationOf(call)
  return operation?.result != null && isOpen(operation.result, view) ? operation : null
}

/** The calls that show what a key stands for once the newer one does: it, and others of the same turn. */
export function withParallel(open: readonly Operation[], newer: Operation): readonly CallItem[] {
  const parallel = open.filter(({ turn }) => turn >= newer.turn)
  return parallel.length === 0 ? [newer.call] : [...parallel.map(({ call }) => call), newer.call]
}
