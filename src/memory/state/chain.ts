import { standing } from './as-of.ts'
import type { ItemState, MemoryState } from './memory-state.ts'

/** The whole chain of an item, oldest first; the same list for every member. */
export function chainOf(state: MemoryState, id: string): readonly ItemState[] {
  const found = new Map<string, ItemState>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entry = state.items.get(next)
    if (!entry || found.has(next)) continue
    found.set(next, entry)
    for (const link of standing(entry.replacedBy)) open.push(link.new)
    for (const link of standing(entry.replaces)) open.push(link.old)
  }
  return inOrder([...found.values()])
}

/** Older before newer along every link; otherwise in recorded order. */
function inOrder(members: readonly ItemState[]): readonly ItemState[] {
  const left = new Map(members.map((entry) => [entry.item.id, entry]))
  const ordered: ItemState[] = []
  while (left.size > 0) {
    const ready = [...left.values()].filter((entry) =>
      standing(entry.replaces).every((link) => !left.has(link.old)),
    )
    // Links never form a cycle, but a damaged log must not hang.
    const batch = ready.length > 0 ? ready : [...left.values()]
    batch.sort((a, b) => a.item.validFrom - b.item.validFrom || (a.item.id < b.item.id ? -1 : 1))
    for (const entry of batch) {
      ordered.push(entry)
      left.delete(entry.item.id)
    }
  }
  return ordered
}
