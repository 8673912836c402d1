import { itemKey, scopeKind } from '../item.ts'
import type { Place } from '../observe.ts'
import { statusAt } from '../state/as-of.ts'
import { confidenceAt } from '../state/confidence.ts'
import type { ItemState, MemoryState } from '../state/memory-state.ts'
import { isTrusted } from '../state/place-in-chain.ts'
import { sharedTopic, topicOf } from '../statements/topic.ts'
import { openFlags, visibleItems } from '../visible.ts'

/** Items with less confidence are not injected. */
const leastConfidence = 0.2
/** Items that their author marked as private are never injected. */
const restricted = /^\W*(?:restricted|confidential|internal only|do not share)\b/i

const closeness = { session: 0, project: 1, team: 2, user: 3 } as const

/**
 * The items to inject into a conversation: current, visible, with enough confidence, and for each key only the one of the
 * narrowest scope. They are in recorded order, so that new items come last.
 */
export function currentItems(state: MemoryState, place: Place, now: number): readonly ItemState[] {
  const found: ItemState[] = []
  const byKey = new Map<string, ItemState>()
  const doubted = new Set(openFlags(state, place).map(({ items: [older] }) => older))
  const visible = visibleItems(state, place)
  const settled = new Set(
    visible.flatMap((entry) =>
      isTrusted(entry.item) && statusAt(entry, now) === 'current'
        ? (itemKey(entry.item) ?? [])
        : [],
    ),
  )
  for (const entry of visible) {
    const { item } = entry
    // An assistant's item is left out when the user has said something about the same property.
    if (!isTrusted(item) && settled.has(itemKey(item) ?? '')) continue
    // An item that a later message contradicts is left out, because the line of the newer item asks about it.
    if (doubted.has(item.id)) continue
    if (restricted.test(item.text)) continue
    if (statusAt(entry, now) !== 'current' || confidenceAt(entry, now) < leastConfidence) continue
    const key =
      item.kind === 'preference' && item.attribute !== undefined
        ? `${item.category}\u001f${item.attribute}`
        : undefined
    const rival = key === undefined ? undefined : byKey.get(key)
    if (rival && closeness[scopeKind(rival.item.scope)] <= closeness[scopeKind(item.scope)])
      continue
    if (rival) found.splice(found.indexOf(rival), 1)
    if (key !== undefined) byKey.set(key, entry)
    found.push(entry)
  }
  return found
}

/** Relevance to a task. Confidence breaks ties. */
export function itemRelevance(entry: ItemState, query: string | undefined, now: number): number {
  const confidence = confidenceAt(entry, now)
  if (query === undefined) return confidence
  const { item } = entry
  const asked = topicOf(query)
  const topic = topicOf(
    `${item.text} ${item.attribute?.replaceAll('_', ' ') ?? ''} ${item.category ?? ''}`,
  )
  return sharedTopic(topic, asked) / Math.max(1, asked.size) + confidence / 10
}
