import { attributeKey } from '../attribute-key.ts'
import { itemKey } from '../item.ts'
import { heardKey, type MemoryEvent } from '../state/event.ts'

/** Whether two groups of events give the same state in either order. If so, neither must be decided again. */
export function areIndependent(
  some: readonly MemoryEvent[],
  others: readonly MemoryEvent[],
): boolean {
  if (others.length === 0) return true
  const touched = new Set<string>()
  for (const event of some) {
    const names = touchedBy(event)
    if (names === null) return false
    for (const name of names) touched.add(name)
  }
  return others.every((event) => touchedBy(event)?.every((name) => !touched.has(name)) ?? false)
}

/** What an event affects; null when it may affect anything. */
function touchedBy(event: MemoryEvent): readonly string[] | null {
  switch (event.kind) {
    case 'added': {
      const { item } = event
      const about =
        item.attribute === undefined
          ? // Any two items without a key may contradict each other.
            `unkeyed ${item.kind}`
          : `attribute ${attributeKey(item.attribute)}`
      return [`id ${item.id}`, `key ${itemKey(item)}`, about]
    }
    case 'heard':
      return [`heard ${heardKey(event.message)}`]
    case 'told':
      return [`told ${event.told.session}`]
    case 'exported':
      return [`exported ${event.path}`]
    default:
      return null
  }
}
