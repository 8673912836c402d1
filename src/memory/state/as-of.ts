import type { ItemState, MemoryState } from './memory-state.ts'

/** A point on both clocks: what was true at one time, as known at another. Each is now when left out. */
export interface AsOf {
  readonly valid?: number
  readonly recorded?: number
}

/** `pending`: not true yet. `expired`: past its expiry date. `unknown`: not recorded yet. */
export type Status = 'current' | 'superseded' | 'retracted' | 'expired' | 'pending' | 'unknown'

/** The status of an item at a point of both clocks. */
export function statusAt(state: ItemState, now: number, asOf: AsOf = {}): Status {
  const valid = asOf.valid ?? now
  const recorded = asOf.recorded ?? Number.POSITIVE_INFINITY
  const { item } = state
  if (item.recordedAt > recorded) return 'unknown'
  for (const retraction of state.retractions) if (holds(retraction, recorded)) return 'retracted'
  for (const link of state.replacedBy)
    if (holds(link, recorded) && link.validAt <= valid) return 'superseded'
  for (const ending of state.endings)
    if (holds(ending, recorded) && ending.validAt <= valid) return 'superseded'
  if (item.validFrom > valid) return 'pending'
  if (item.expiresAt !== undefined && item.expiresAt <= valid) return 'expired'
  return 'current'
}

/** All items that were current at a point of both clocks, in recorded order. */
export function itemsAsOf(state: MemoryState, now: number, asOf: AsOf = {}): readonly ItemState[] {
  return state.itemsBy(
    asOf.recorded ?? Number.POSITIVE_INFINITY,
    asOf.valid ?? now,
    (entry) => statusAt(entry, now, asOf) === 'current',
  )
}

/** The links, endings or retractions that were not undone. */
export function standing<Entry extends { readonly endedAt?: number }>(
  entries: readonly Entry[],
): readonly Entry[] {
  return entries.filter(({ endedAt }) => endedAt === undefined)
}

/** Whether an item is retracted now. */
export function isRetracted(state: ItemState): boolean {
  return standing(state.retractions).length > 0
}

/** Whether an item was replaced or ended. */
export function isReplaced(state: ItemState): boolean {
  return standing(state.replacedBy).length > 0 || standing(state.endings).length > 0
}

function holds(
  entry: { readonly recordedAt: number; readonly endedAt?: number },
  recorded: number,
): boolean {
  return entry.recordedAt <= recorded && (entry.endedAt === undefined || entry.endedAt > recorded)
}
