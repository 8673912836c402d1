import type { ItemDraft, MessageDraft } from '../../core/words/item.ts'
import type { JsonObject } from '../../core/words/json.ts'
import type { CallIndex } from '../body/call-index.ts'
import type { ObjectFormatName } from '../format.ts'

/** Which piece of a part an item is. */
export type Slot =
  /** The part's own text. */
  | { readonly kind: 'text' }
  /** The input of a call, as a JSON object or as the tool's own text. */
  | { readonly kind: 'input'; readonly takes: 'json' | 'text' }
  | { readonly kind: 'output' }
  /** Something that a result carries besides its text. */
  | { readonly kind: 'attached'; readonly index: number }
  /** The part as a whole, which becomes a text. */
  | { readonly kind: 'whole' }

/** Where an item stands in its message, and what may be done with it there. */
export interface Place {
  /** Index of its part; null when the message's content is one text. */
  readonly part: number | null
  readonly slot: Slot
  /** Why its text may not become another one, or null. */
  readonly write: string | null
  /** Why it may not be taken out, or null. */
  readonly remove: string | null
  /** What may not change about it besides its text: ids, signatures. */
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

export interface Misshapen {
  readonly kind: 'misshapen'
  /** Path below the message, such as `.content.0`; empty for the message itself. */
  readonly path: string
  readonly message: string
}

export interface SlotEdit {
  readonly slot: Slot
  readonly text: string
}

/** What one list of messages has of its own. */
export interface ListDialect {
  readonly name: ObjectFormatName
  /** The member of a message that holds its parts. */
  readonly parts: 'content' | 'parts'
  /** A plain copy of all that reading depends on. May throw, on objects that do. */
  pick(message: unknown): unknown
  /** Must not throw: it sees plain copies only. */
  interpret(picked: unknown, calls: CallIndex): Entry | Misshapen
  /** The part with new texts in some of its slots. Everything else of it stays, and the old part is not touched. */
  writePart(part: JsonObject, edits: readonly SlotEdit[]): JsonObject
  /** The model that the next request goes to, as far as the messages say. */
  model(picked: readonly unknown[]): string | null
}
