import type { MemoryItem, MemoryKind } from './item.ts'
import type { MemoryEvent } from './state/event.ts'
import { heardChange } from './state/retract-item.ts'

/** One change of the memory, as `memory observe` reports it. */
export interface Change {
  readonly op: 'add' | 'supersede' | 'retract' | 'flag'
  readonly kind: MemoryKind
  readonly id: string
  readonly key?: string
  readonly value: string
  readonly supersedes?: string
}

/** The report of a change. */
export function changeOf(op: Change['op'], item: MemoryItem): Change {
  return {
    op,
    kind: item.kind,
    id: item.id,
    ...(item.attribute === undefined ? {} : { key: item.attribute }),
    value: item.value ?? item.text,
  }
}

/** Replaces an item that a message contradicts. The reason makes `undo` retract the newer item too. */
export function supersession(old: MemoryItem, newer: MemoryItem, at: number): MemoryEvent {
  const validAt = Math.max(newer.validFrom, old.validFrom)
  return { kind: 'superseded', at, old: old.id, new: newer.id, validAt, reason: heardChange }
}
