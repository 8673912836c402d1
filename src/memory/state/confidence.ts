import { type ScopeKind, scopeKind } from '../item.ts'
import type { ItemState } from './memory-state.ts'

const dayMs = 86_400_000
const halfLifeDays: Readonly<Record<ScopeKind, number>> = {
  session: 7,
  project: 180,
  user: 365,
  team: 365,
}
/** How much of the missing confidence each repetition adds. */
const gainPerReinforcement = 0.3

/** An item's confidence at a time: the stored one, raised by each repetition and lowered with age. Never stored. */
export function confidenceAt(state: ItemState, now: number): number {
  const { item, reinforcements } = state
  let doubt = 1 - item.confidence
  let last = item.recordedAt
  for (const { at } of reinforcements) {
    if (at > now) continue
    doubt *= 1 - gainPerReinforcement
    last = Math.max(last, at)
  }
  const age = Math.max(0, now - last) / dayMs
  return (1 - doubt) * 0.5 ** (age / halfLifeDays[scopeKind(item.scope)])
}

/** When it was last said. */
export function lastReinforced(state: ItemState): number | undefined {
  return state.reinforcements.at(-1)?.at
}
