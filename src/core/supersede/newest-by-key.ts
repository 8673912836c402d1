import type { SupersedeKind } from '../decision.ts'
import type { Scene, Strategy } from '../strategy.ts'
import type { CallItem, Operation } from '../track/operation.ts'
import { isAnswered, isAsWhole, isOpen } from './outcome.ts'
import { pointsBack } from './repetition.ts'

export interface NewestByKey {
  readonly reason: SupersedeKind
  /** The configuration key. */
  readonly strategy: string
  /** What the call is about; null when it is none of this strategy's business. */
  keyOf(operation: Operation): string | null
}

/** Of all successful calls about the same thing, the newest stays; under `pointer`, the first of equal ones. */
export function newestByKey({ reason, strategy, keyOf }: NewestByKey): Strategy {
  const showing = new Map<string, readonly CallItem[]>()
  return {
    name: strategy,
    operation(newer, scene) {
      if (!isAnswered(newer, scene)) return
      const key = keyOf(newer)
      if (key === null) return
      const calls = showing.get(key) ?? []
      const open = calls
        .map((call) => scene.operationOf(call))
        .filter((older) => isThere(older, scene))
      const pointed = open.find((older) => pointsBack(older, newer, scene))
      if (pointed !== undefined) return
      const parallel = open.filter((older) => older.turn >= newer.turn)
      for (const older of open) {
        if (older.turn < newer.turn && isAsWhole(older, newer)) {
          scene.supersede(older, newer, reason, strategy)
        }
      }
      showing.set(key, [...parallel.map((older) => older.call), newer.call])
    },
  }
}

function isThere(older: Operation | undefined, scene: Scene): older is Operation {
  return older?.result != null && isOpen(older.result, scene)
}
