import { attributeKey } from './attribute-key.ts'
import type { Claim } from './extract/claim.ts'
import type { MemoryItem, Scope } from './item.ts'
import { namesValue } from './lexicon/lookup.ts'
import type { Writing } from './memory.ts'
import type { Place } from './observe.ts'
import { statusAt } from './state/as-of.ts'
import type { ItemState, MemoryState } from './state/memory-state.ts'

/** Current items about the same attribute in any scope that this conversation can see. */
export function currentRivals(
  state: MemoryState,
  claim: Claim,
  place: Place,
  now: number,
): readonly ItemState[] {
  if (claim.attribute === undefined) return []
  const attribute = attributeKey(claim.attribute)
  const scopes: readonly Scope[] = ['user', `project:${place.project}`, `session:${place.session}`]
  return state
    .withAttribute(attribute)
    .filter(({ item }) => scopes.includes(item.scope) || item.scope.startsWith('team:'))
    .filter((entry) => statusAt(entry, now) === 'current')
}

/** The item that a claim replaces: the one it names, the one in its scope, or the only one it can correct. */
export function chooseTarget(
  rivals: readonly ItemState[],
  claim: Claim,
  scope: Scope,
): ItemState | undefined {
  const { old } = claim
  const byValue =
    old === undefined ? undefined : rivals.find(({ item }) => namesValue(old, item.value))
  if (byValue || claim.operation === 'end') return byValue
  const beside = rivals.find(({ item }) => item.scope === scope)
  if (beside || claim.operation === 'state') return beside
  return rivals.length === 1 ? rivals[0] : undefined
}

/** The item that a claim names, or the earlier statement as an item that is not stored yet. */
export function targetOf(
  { target, earlier }: Claim,
  { state, item }: Writing,
): MemoryItem | undefined {
  const known = target === undefined ? undefined : state.items.get(target)
  if (known !== undefined || earlier === undefined) return known?.item
  const { id: _, ...said } = earlier
  return item(said)
}
