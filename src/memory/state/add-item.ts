import { itemKey, type MemoryItem } from '../item.ts'
import { sameValue } from '../lexicon/lookup.ts'
import { isReplaced, isRetracted } from './as-of.ts'
import type { MemoryEvent } from './event.ts'
import type { ItemState, MemoryState } from './memory-state.ts'
import { placeInChain } from './place-in-chain.ts'

/** The plan of an addition: the events to write, and the item that now holds the value. */
export interface AddPlan {
  readonly events: readonly MemoryEvent[]
  readonly id: string
  readonly outcome: 'added' | 'reinforced'
  /** Items that the addition replaced. */
  readonly supersedes: readonly string[]
}

/** Adds an item by the rules of its key: the same value reinforces the item, another value replaces it. */
export function planAdd(state: MemoryState, item: MemoryItem): AddPlan {
  const same = findSame(state, item)
  if (same) {
    const event: MemoryEvent = {
      kind: 'reinforced',
      at: item.recordedAt,
      id: same.item.id,
      validAt: item.validFrom,
      source: item.source,
    }
    return { events: [event], id: same.item.id, outcome: 'reinforced', supersedes: [] }
  }
  const { events, supersedes } = placeInChain(state, item, item.recordedAt)
  return {
    events: [{ kind: 'added', at: item.recordedAt, item }, ...events],
    id: item.id,
    outcome: 'added',
    supersedes,
  }
}

function findSame(state: MemoryState, item: MemoryItem): ItemState | undefined {
  const key = itemKey(item)
  const keyed = key !== undefined && item.value !== undefined
  const candidates = keyed
    ? state.withKey(key).filter(({ item: other }) => sameValue(other.value, item.value))
    : state.withText(item.kind, item.scope, item.text)
  return candidates.find(
    (entry) =>
      !isRetracted(entry) &&
      !isReplaced(entry) &&
      entry.item.expiresAt === item.expiresAt &&
      entry.item.source.origin === item.source.origin &&
      entry.item.validFrom <= item.validFrom,
  )
}
