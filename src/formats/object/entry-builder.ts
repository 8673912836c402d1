import type { ItemDraft, MessageDraft } from '../../core/words/item.ts'
import { addCall, type CallIndex, callOfId, type KnownCall } from '../body/call-index.ts'
import type { Entry, Malformed, Placed, Slot } from './dialect.ts'
import { reasoningItem, signedReason } from './signed-reasoning.ts'

/** How an item's place differs from the default. */
export interface PlaceOptions {
  readonly identity?: unknown
  readonly write?: string | null
  /** Why the item cannot be removed; null if it can. By default it cannot. */
  readonly remove?: string | null
}

const stays = 'the item cannot be removed'

/** Collects the items of one message, each with its place. */
export class EntryBuilder {
  calls: CallIndex
  readonly #placed: Placed[] = []

  constructor(calls: CallIndex) {
    this.calls = calls
  }

  add(part: number | null, item: ItemDraft, slot: Slot, options: PlaceOptions): void {
    const { identity = null, write = null, remove = stays } = options
    this.#placed.push({ item, place: { part, slot, identity, write, remove } })
  }

  /** Adds a text unless it is empty. */
  addText(part: number | null, text: string, options: PlaceOptions): void {
    if (text !== '') this.add(part, { kind: 'text', text }, { kind: 'text' }, options)
  }

  /** Adds reasoning. `providers` are the options of each provider. */
  addReasoning(part: number, text: string, providers: unknown, identity: unknown): void {
    const item = reasoningItem(text, providers)
    if (item === null) return
    const write = item.binding === 'plain' ? null : signedReason
    this.add(part, item, { kind: 'text' }, { identity, write, remove: null })
  }

  /** Adds a part that must not be changed. */
  addOpaque(part: number, marker: string, text: string, identity: unknown = null): void {
    this.add(part, { kind: 'marker', marker, text, opaque: true }, { kind: 'whole' }, { identity })
  }

  /** Registers a call. */
  call(id: string, tool: string): KnownCall {
    const { calls, known } = addCall(this.calls, id, tool)
    this.calls = calls
    return known
  }

  /** The call that a result of this id answers. */
  answered(id: string, tool: string): KnownCall {
    const known = callOfId(this.calls, id)
    return known.tool === '' ? { ...known, tool } : known
  }

  entry(message: Omit<MessageDraft, 'items'>): Entry {
    return { kind: 'entry', message, placed: this.#placed, calls: this.calls }
  }
}

export function malformed(path: string, message: string): Malformed {
  return { kind: 'malformed', path, message }
}
