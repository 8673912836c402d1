import type { ItemDraft, Role } from '../../core/words/item.ts'
import type { BodyFormatName } from '../format.ts'
import type { RawNode } from '../json/raw-node.ts'
import type { CallIndex } from './call-index.ts'

/** Steps from an element of the conversation to a value in it. */
export type Path = readonly (string | number)[]

/** How an item's new text is written into the body. */
export type Write =
  /** As the string at `path`, which is added to its object where it is missing. */
  | { readonly kind: 'string'; readonly path: Path }
  /** As the JSON object at `path`. */
  | { readonly kind: 'json'; readonly path: Path }
  /** As the string at `path`, which holds a JSON object. */
  | { readonly kind: 'json-string'; readonly path: Path }
  /**
   * Into a list of blocks: the first of its texts takes the new one, the other texts go, and the rest stays. A list
   * without texts gets one, as its first block.
   */
  | {
      readonly kind: 'texts'
      readonly path: Path
      readonly texts: readonly number[]
      readonly frame: TextFrame
    }
  /** In place of the whole value at `path`. */
  | { readonly kind: 'block'; readonly path: Path; readonly frame: TextFrame }
  | { readonly kind: 'refuse'; readonly reason: string }

/** What stands before and after the JSON string of a text block that we make. */
export interface TextFrame {
  readonly before: string
  readonly after: string
}

/** Where an item stands in the body, and what can be done to it there. */
export interface Place {
  readonly write: Write
  /** The block or member that goes when the item is removed; the empty path is the whole element. null: it stays. */
  readonly remove: Path | null
  /** The element of its message that holds it, counted from 0. */
  readonly element: number
}

/** One element of the conversation's array, read. */
export interface Entry {
  readonly kind: 'entry'
  readonly role: Role
  readonly items: readonly ItemDraft[]
  readonly places: readonly Place[]
  readonly calls: CallIndex
  /** Neighbours of the same group are one message; null stands alone. */
  readonly group: string | null
}

/** Where an element could not be understood, as a path from that element. */
export interface Misshapen {
  readonly kind: 'misshapen'
  readonly path: Path
  readonly message: string
}

/** What one provider's bodies look like. Everything else about them is the same for all. */
export interface Dialect {
  readonly name: BodyFormatName
  /** Top-level keys, all spellings of each. */
  readonly conversation: readonly string[]
  readonly system: readonly string[]
  readonly tools: readonly string[]
  /** True when a body may come without its conversation. */
  readonly conversationOptional: boolean
  /** Reads one element; `node` is its spelling, and `calls` those of the elements before. Must not throw. */
  readElement(value: unknown, node: RawNode, calls: CallIndex): Entry | Misshapen
  /** Reads a conversation that is a plain string; null where the provider takes none. */
  readonly readString: ((text: string) => Entry) | null
}
