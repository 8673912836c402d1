import type { ItemDraft, Role } from '../../core/words/item.ts'
import type { BodyFormatName } from '../format.ts'
import type { RawNode } from '../json/raw-node.ts'
import type { CallIndex } from './call-index.ts'

/** Steps from an element of the conversation to a value in it. */
export type Path = readonly (string | number)[]

/** How an item's new text is written into the body. */
export type Write =
  /** As the string at `path`, which is added if it is missing. */
  | { readonly kind: 'string'; readonly path: Path }
  /** As the JSON object at `path`. */
  | { readonly kind: 'json'; readonly path: Path }
  /** As the string at `path`, which contains a JSON object. */
  | { readonly kind: 'json-string'; readonly path: Path }
  /**
   * Into a list of blocks: replaces the first text and removes the other texts. A list without texts gets one as its
   * first block.
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

/** The JSON before and after the string of a new text block. */
export interface TextFrame {
  readonly before: string
  readonly after: string
}

/** Where an item is in the body, and how it can be changed. */
export interface Place {
  readonly write: Write
  /** The block or member to remove with the item; the empty path is the whole element. null if it cannot be removed. */
  readonly remove: Path | null
  /** Index of the element of its message, from 0. */
  readonly element: number
}

/** The result of reading one element of the conversation. */
export interface Entry {
  readonly kind: 'entry'
  readonly role: Role
  readonly items: readonly ItemDraft[]
  readonly places: readonly Place[]
  readonly calls: CallIndex
  /** Consecutive elements of the same group form one message; null is a message by itself. */
  readonly group: string | null
}

/** Where an element has an unexpected shape, as a path from that element. */
export interface Malformed {
  readonly kind: 'malformed'
  readonly path: Path
  readonly message: string
}

/** The parts of reading a body that differ between providers. */
export interface Dialect {
  readonly name: BodyFormatName
  /** Top-level keys, with all spellings. */
  readonly conversation: readonly string[]
  readonly system: readonly string[]
  readonly tools: readonly string[]
  /** True if a body is valid without a conversation. */
  readonly conversationOptional: boolean
  /** Reads one element. `node` is its raw JSON, `calls` are the calls of earlier elements. Must not throw. */
  readElement(value: unknown, node: RawNode, calls: CallIndex): Entry | Malformed
  /** Reads a conversation that is a string; null if the provider does not allow that. */
  readonly readString: ((text: string) => Entry) | null
}
