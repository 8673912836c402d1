import { type ScopeKind, scopeKind } from '../item.ts'
import type { ItemState } from './memory-state.ts'

const dayMs = 86_400_000
const halfLifeDays: Readonly<Record<ScopeKind, number>> = {
  session: 7,
  project: 180,
  user: 365,
  team: 365,
}
/** What is said again is believed this much more of what was missing. */
const gainPerReinforcement = 0.3

/** How sure an item is at a time: what was stored, raised by each repetition, halved with age. Never written back. */
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

/** When somebody last said it. */
export function lastReinforced(state: ItemState): number | undefined {
  return state.reinforcements.at(-1)?.at
}
