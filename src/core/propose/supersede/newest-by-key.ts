import type { ActionKind } from '../../words/action.ts'
import type { SupersedeKind } from '../../words/decision.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Strategy } from '../strategy.ts'
import { hideableOf, isAnswered, isAsWhole } from './outcome.ts'
import { becomesPointer } from './repetition.ts'

export interface NewestByKey {
  readonly reason: SupersedeKind
  /** The configuration key. */
  readonly strategy: string
  readonly actions?: readonly ActionKind[]
  /** What the call is about; null when the strategy does not apply. */
  keyOf(operation: Operation): string | null
}

/** Of all successful calls with the same key, the newest stays; under `pointer`, the first of equal ones. */
export function newestByKey({ reason, strategy, keyOf, ...actions }: NewestByKey): Strategy {
  const showing = new Map<string, readonly CallItem[]>()
  return {
    name: strategy,
    ...actions,
    *operation(newer, view) {
      const key = keyOf(newer)
      if (key === null || !isAnswered(newer, view)) return
      const open = hideableOf(showing.get(key) ?? [], view)
      for (const older of open) if (becomesPointer(older, newer, view)) return
      for (const older of open) {
        if (older.turn < newer.turn && isAsWhole(older, newer)) {
          yield { kind: 'supersede', older, by: newer, reason, strategy }
        }
      }
      showing.set(key, withParallel(open, newer))
    },
  }
}

/** The newer call, and the others of its turn. */
export function withParallel(open: readonly Operation[], newer: Operation): readonly CallItem[] {
  const parallel = open.filter(({ turn }) => turn >= newer.turn)
  return [...parallel.map(({ call }) => call), newer.call]
}
