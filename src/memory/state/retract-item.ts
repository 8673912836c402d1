import { itemKey } from '../item.ts'
import { isReplaced, isRetracted, standing } from './as-of.ts'
import type { MemoryEvent } from './event.ts'
import { knownItem, reaches } from './link-items.ts'
import type { ItemState, Link, MemoryState } from './memory-state.ts'
import { nextInChain, placeInChain } from './place-in-chain.ts'

/** The reason of a supersession that was read from a message. Undoing such a supersession also retracts the newer item. */
export const heardChange = 'said in a message'

/** Records that an item was never true. What it replaced is linked to its successor, or is current again. */
export function planRetract(
  state: MemoryState,
  input: { readonly id: string; readonly at: number; readonly reason?: string },
): readonly MemoryEvent[] {
  const { id, at, reason } = input
  const entry = knownItem(state, id)
  if (isRetracted(entry)) return []
  const events: MemoryEvent[] = [
    { kind: 'retracted', at, id, ...(reason === undefined ? {} : { reason }) },
  ]
  const olders = standing(entry.replaces)
  const newers = standing(entry.replacedBy)
  for (const link of [...olders, ...newers])
    events.push({ kind: 'unlinked', at, old: link.old, new: link.new })
  for (const { old } of olders) {
    const item = state.items.get(old)?.item
    const next = newers.length > 0 || !item ? undefined : nextInChain(state, item, id)?.item
    const heirs = next ? [{ new: next.id, validAt: next.validFrom }] : newers
    for (const heir of heirs)
      if (!state.activeLink(old, heir.new))
        events.push({
          kind: 'superseded',
          at,
          old,
          new: heir.new,
          validAt: Math.max(heir.validAt, item?.validFrom ?? 0),
        })
  }
  return events
}

/**
 * Undoes the last event of an item: its retraction, the supersession in which it is the older or the newer one, or its
 * addition. When both share a key with one value, the newer item is retracted.
 */
export function planUndo(
  state: MemoryState,
  input: { readonly id: string; readonly at: number },
): readonly MemoryEvent[] {
  const { id, at } = input
  const entry = knownItem(state, id)
  if (isRetracted(entry)) return planUnretract(state, entry, at)
  if (standing(entry.endings).length > 0) return planResume(state, entry, at)
  const link = lastLink(entry)
  if (!link) return planRetract(state, { id, at, reason: 'undo of its addition' })
  const older = state.items.get(link.old)
  const newer = state.items.get(link.new)
  if (newer && older && (link.reason === heardChange || sharesSingleKey(state, older, newer)))
    return planRetract(state, { id: link.new, at, reason: `undo of its place over ${link.old}` })
  const events: MemoryEvent[] = [{ kind: 'unlinked', at, old: link.old, new: link.new }]
  if (older && standing(older.replacedBy).length === 1)
    for (const event of placeInChain(state, older.item, at).events)
      if (event.kind === 'superseded' && event.old === link.old && event.new !== link.new)
        events.push(event)
  return events
}

/** Records that an item was true until now and has no successor. */
export function planEnd(
  state: MemoryState,
  input: { readonly id: string; readonly at: number; readonly validAt: number },
): readonly MemoryEvent[] {
  const entry = knownItem(state, input.id)
  if (isRetracted(entry) || isReplaced(entry)) return []
  const validAt = Math.max(input.validAt, entry.item.validFrom)
  return [{ kind: 'ended', at: input.at, id: input.id, validAt }]
}

function planResume(state: MemoryState, entry: ItemState, at: number): readonly MemoryEvent[] {
  const events: MemoryEvent[] = [{ kind: 'resumed', at, id: entry.item.id }]
  if (standing(entry.replacedBy).length > 0) return events
  // Another item of the key may have taken its place meanwhile.
  for (const event of placeInChain(state, entry.item, at).events)
    if (event.kind === 'superseded' && event.old === entry.item.id) events.push(event)
  return events
}

function planUnretract(state: MemoryState, entry: ItemState, at: number): readonly MemoryEvent[] {
  const { id } = entry.item
  const events: MemoryEvent[] = [{ kind: 'unretracted', at, id }]
  const single = state.cardinality(entry.item) === 'single'
  if (single) events.push(...placeInChain(state, entry.item, at).events)
  const key = itemKey(entry.item)
  const takenBackAt = entry.retractions.at(-1)?.recordedAt
  const cut = [...entry.replacedBy, ...entry.replaces].filter(
    (link) => link.endedAt === takenBackAt,
  )
  for (const link of cut) {
    const other = state.items.get(link.old === id ? link.new : link.old)
    if (!other || isRetracted(other)) continue
    if (single && itemKey(other.item) === key) continue
    if (state.activeLink(link.old, link.new) || reaches(state, link.new, link.old)) continue
    events.push({ kind: 'superseded', at, old: link.old, new: link.new, validAt: link.validAt })
  }
  return events
}

function lastLink(entry: ItemState): Link | undefined {
  return standing([...entry.replacedBy, ...entry.replaces])
    .toSorted((a, b) => a.recordedAt - b.recordedAt)
    .at(-1)
}

function sharesSingleKey(state: MemoryState, a: ItemState, b: ItemState): boolean {
  return itemKey(a.item) === itemKey(b.item) && state.cardinality(a.item) === 'single'
}
