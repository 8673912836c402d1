import { PalimpsestError } from '../core/words/errors.ts'
import { confidenceAt, type ItemState, type SearchHit, statusAt } from '../memory/index.ts'
import { itemHit } from '../memory/search/search.ts'
import { isVisible } from '../memory/visible.ts'
import type { PlacedMemory } from './parts.ts'

/** An item as the tools show it: what search says of it, and what only its own entry knows. */
export interface ShownItem extends Omit<SearchHit, 'score' | 'at'> {
  readonly scope: string
  readonly category?: string
  readonly rationale?: string
  readonly confidence: number
  readonly validFrom: string
  readonly recordedAt: string
  readonly expiresAt?: string
}

export function shownItem(
  entry: ItemState,
  now: number,
  status: SearchHit['status'] = statusAt(entry, now),
): ShownItem {
  const { score: _, at: __, ...hit } = itemHit(entry, status, 0)
  const { scope, category, rationale, validFrom, recordedAt, expiresAt } = entry.item
  return {
    ...hit,
    scope,
    ...(category === undefined ? {} : { category }),
    ...(rationale === undefined ? {} : { rationale }),
    confidence: Math.round(confidenceAt(entry, now) * 100) / 100,
    validFrom: new Date(validFrom).toISOString(),
    recordedAt: new Date(recordedAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  }
}

/**
 * An item that can be seen from a place.
 *
 * @throws PalimpsestError with code `usage` when none is called so there.
 */
export function knownItem({ memory, place }: PlacedMemory, id: string): ShownItem {
  const entry = memory.state.items.get(id)
  if (entry === undefined || !isVisible(entry.item.scope, place))
    throw new PalimpsestError('usage', `there is no memory item ${id}`)
  return shownItem(entry, memory.now())
}
