import type { ActionKind } from '../../words/action.ts'
import type { SupersedeKind } from '../../words/decision.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Scene, Strategy } from '../strategy.ts'
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
    operation(newer, scene) {
      const key = keyOf(newer)
      if (key === null || !isAnswered(newer, scene)) return
      const calls = showing.get(key)
      if (calls === undefined) {
        showing.set(key, [newer.call])
        return
      }
      const open = openOf(calls, scene)
      for (const older of open) if (pointsBack(older, newer, scene)) return
      for (const older of open) {
        if (older.turn < newer.turn && isAsWhole(older, newer)) {
          scene.supersede(older, newer, reason, strategy)
        }
      }
      showing.set(key, withParallel(open, newer))
    },
  }
}

/** Those of the calls whose results are there to be hidden. */
export function openOf(calls: readonly CallItem[], scene: Scene): readonly Operation[] {
  const [only] = calls
  if (calls.length === 1 && only !== undefined) {
    const operation = openAt(only, scene)
    return operation === null ? none : [operation]
  }
  return calls.flatMap((call) => openAt(call, scene) ?? [])
}

const none: readonly Operation[] = []

function openAt(call: CallItem, scene: Scene): Operation | null {
  const operation = scene.operationOf(call)
  return operation?.result != null && isOpen(operation.result, scene) ? operation : null
}

/** The calls that show what a key stands for once the newer one does: it, and others of the same turn. */
export function withParallel(open: readonly Operation[], newer: Operation): readonly CallItem[] {
  const parallel = open.filter(({ turn }) => turn >= newer.turn)
  return parallel.length === 0 ? [newer.call] : [...parallel.map(({ call }) => call), newer.call]
}
