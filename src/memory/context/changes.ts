import type { MemoryItem } from '../item.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { standingLinks, statusAt } from '../state/as-of.ts'
import type { ItemState } from '../state/memory-state.ts'
import { isVisible } from '../visible.ts'
import { currentItems } from './choose-items.ts'

/** An item that was added or ended. `before` is the item it replaced. */
export interface ChangedItem {
  readonly op: 'added' | 'ended'
  readonly entry: ItemState
  readonly before?: MemoryItem
}

/** The changes of the items that a conversation sees, in recorded order. */
export function changedItems(memory: Memory, place: Place, since: number): readonly ChangedItem[] {
  const { state } = memory
  const now = memory.now()
  const current = new Set(currentItems(state, place, now))
  const replaced = new Set<string>()
  const changes: ChangedItem[] = []
  for (const entry of current) {
    if (wasCurrentAt(entry, since) && entry.item.recordedAt < since) continue
    const [link] = standingLinks(entry.replaces)
    const before = link === undefined ? undefined : state.items.get(link.old)?.item
    for (const each of standingLinks(entry.replaces)) replaced.add(each.old)
    changes.push({ op: 'added', entry, ...(before === undefined ? {} : { before }) })
  }
  for (const entry of state.items.values()) {
    const { item } = entry
    if (current.has(entry) || item.recordedAt > since || replaced.has(item.id)) continue
    if (!isVisible(item.scope, place) || !wasCurrentAt(entry, since)) continue
    // An item with too little confidence, or hidden by a closer scope, is still true.
    if (statusAt(entry, now) !== 'current') changes.push({ op: 'ended', entry })
  }
  return changes
}

function wasCurrentAt(entry: ItemState, then: number): boolean {
  return statusAt(entry, then, { recorded: then, valid: then }) === 'current'
}

export function describeItem(item: MemoryItem): string {
  const why = item.rationale === undefined ? '' : ` (${item.rationale})`
  const who = item.source.origin === 'assistant' ? ' [assistant]' : ''
  return `${item.text}${why}${who}`
}

/**
 * The changes since a context was written, one line per item that was added or ended. Append them to a conversation
 * whose beginning is cached.
 */
export function contextChanges(memory: Memory, place: Place, since: number): readonly string[] {
  return changedItems(memory, place, since).flatMap(({ op, entry, before }) => {
    const { item } = entry
    if (op === 'ended') return [`- no longer: ${item.text}`]
    if (item.recordedAt <= since && wasCurrentAt(entry, since)) return []
    const was = before === undefined ? '' : ` (was: ${before.value ?? before.text})`
    return [`- ${describeItem(item)}${was}`]
  })
}
