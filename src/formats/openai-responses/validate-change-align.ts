import type { PlacedItem } from './validate-view.ts'

export interface ItemPair {
  readonly before: PlacedItem
  readonly after: PlacedItem
}

interface RemovedReasoning {
  readonly reasoning: PlacedItem
  /** Index in the new list of the item that followed it, or null. */
  readonly next: number | null
}

export interface Alignment {
  readonly pairs: readonly ItemPair[]
  readonly removed: readonly RemovedReasoning[]
  /** The first old item without a counterpart, where the comparison stops. */
  readonly moved: PlacedItem | null
}

/** Pairs old items with new ones, in order. Only reasoning may be missing. */
export function alignItems(before: readonly PlacedItem[], after: readonly PlacedItem[]): Alignment {
  const known = new Set(before.filter(({ type }) => type === 'reasoning').map(reasoningKey))
  const pairs: ItemPair[] = []
  const removed: RemovedReasoning[] = []
  let next = 0
  for (const item of before) {
    const counterpart = after[next]
    if (counterpart !== undefined && matches(item, counterpart, known)) {
      pairs.push({ before: item, after: counterpart })
      next++
    } else if (item.type === 'reasoning') {
      removed.push({ reasoning: item, next: counterpart === undefined ? null : next })
    } else {
      return { pairs, removed, moved: item }
    }
  }
  return { pairs, removed, moved: null }
}

/** Identifies a reasoning item among several in a row. */
function reasoningKey({ id, item }: PlacedItem): unknown {
  return id ?? item.encrypted_content
}

function matches(before: PlacedItem, after: PlacedItem, known: ReadonlySet<unknown>): boolean {
  if (before.type !== after.type || before.role !== after.role) return false
  if (before.type !== 'reasoning') return true
  const key = reasoningKey(after)
  // Reasoning that is not in the old list was altered in its place.
  return reasoningKey(before) === key || !known.has(key)
}
