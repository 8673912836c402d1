import type { ItemDraft, MessageDraft } from '../../core/words/item.ts'
import type { JsonObject } from '../../core/words/json.ts'
import type { CallIndex } from '../body/call-index.ts'
import type { ObjectFormatName } from '../format.ts'

/** Which piece of a part an item came from. */
export type Slot =
  /** The part's own text. */
  | { readonly kind: 'text' }
  /** The input of a call, as a JSON object or as the tool's own text. */
  | { readonly kind: 'input'; readonly takes: 'json' | 'text' }
  | { readonly kind: 'output' }
  /** An attachment of a result. */
  | { readonly kind: 'attached'; readonly index: number }
  /** The part as a whole, which becomes a text. */
  | { readonly kind: 'whole' }

/** Where an item is in its message, and how it can be changed. */
export interface Place {
  /** Index of its part; null when the message's content is one text. */
  readonly part: number | null
  readonly slot: Slot
  /** Why its text cannot be changed, or null. */
  readonly write: string | null
  /** Why it cannot be removed, or null. */
  readonly remove: string | null
  /** The ids and signatures that must not change. */
  readonly identity: unknown
}

export interface Placed {
  readonly item: ItemDraft
  readonly place: Place
}

/** A message that a dialect understood. */
export interface Entry {
  readonly kind: 'entry'
  readonly message: Omit<MessageDraft, 'items'>
  readonly placed: readonly Placed[]
  readonly calls: CallIndex
}

export interface Malformed {
  readonly kind: 'malformed'
  /** Path below the message, such as `.content.0`; empty for the message itself. */
  readonly path: string
  readonly message: string
}

export interface SlotEdit {
  readonly slot: Slot
  readonly text: string
}

/** The parts of reading a list of messages that differ between hosts. */
export interface ListDialect {
  readonly name: ObjectFormatName
  /** The member of a message that contains its parts. */
  readonly parts: 'content' | 'parts'
  /** A plain copy of everything that reading depends on. May throw if the host's object throws. */
  pick(message: unknown): unknown
  /** Must not throw. It gets plain copies only. */
  interpret(picked: unknown, calls: CallIndex): Entry | Malformed
  /** A copy of the part with new texts in some of its slots. */
  writePart(part: JsonObject, edits: readonly SlotEdit[]): JsonObject
  /** The model of the next request, if the messages name it. */
  model(picked: readonly unknown[]): string | null
}
