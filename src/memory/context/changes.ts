import type { MemoryItem } from '../item.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { standing, statusAt } from '../state/as-of.ts'
import type { ItemState, MemoryState } from '../state/memory-state.ts'
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
    const [link] = standing(entry.replaces)
    const before = link === undefined ? undefined : state.items.get(link.old)?.item
    for (const each of standing(entry.replaces)) replaced.add(each.old)
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

/** An item in words. While it contradicts an earlier one, the words ask which of the two holds. */
export function describeItem(item: MemoryItem, state?: MemoryState): string {
  const why = item.rationale === undefined ? '' : ` (${item.rationale})`
  const who = item.source.origin === 'assistant' ? ' [assistant]' : ''
  const words = `${item.text}${why}${who}`
  const older = state === undefined ? undefined : questioned(state, item.id)
  if (older === undefined) return words
  return `may have changed: ${older.text}; said later: ${words}; ask`
}

/** The current item that an open flag says this one contradicts. */
function questioned(state: MemoryState, newer: string): MemoryItem | undefined {
  for (const { items, verdict } of state.flags.values())
    if (verdict === undefined && items[1] === newer) return state.items.get(items[0])?.item
  return undefined
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
    return [`- ${describeItem(item, memory.state)}${was}`]
  })
}
