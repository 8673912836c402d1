import type { ItemDraft, MessageDraft, Role } from '../../core/words/item.ts'
import { partitionPoint } from '../../core/words/partition-point.ts'
import type { Body, RequestRead } from '../format.ts'
import type { CallIndex } from './call-index.ts'
import type { Entry, Place } from './dialect.ts'

/** Offsets of one element of the conversation's array in the body. */
export interface ElementSpan {
  readonly start: number
  readonly end: number
}

/** A message together with where it came from. */
export interface ReadMessage {
  readonly draft: MessageDraft
  readonly places: readonly Place[]
  readonly firstElement: number
  readonly elementCount: number
  /** What was known of the calls after it. */
  readonly calls: CallIndex
  readonly group: string | null
}

/** What is known about a request outside its conversation. */
export interface RequestHead {
  readonly model: string | null
  readonly system: string
  readonly tools: string
}

/** What a read keeps to itself, for the next read and for a rewrite. */
export interface BodyState {
  readonly messages: readonly ReadMessage[]
  readonly elements: readonly ElementSpan[]
  /** What stood before the conversation. */
  readonly headBefore: RequestHead
  /** False when the conversation is not one array, so that no other read can go on from here. */
  readonly resumable: boolean
}

const stateKey: unique symbol = Symbol('palimpsest.body-state')

/**
 * Puts the state onto the read, where no comparison, spread or JSON sees it. A WeakMap would say the same, but what it
 * holds survives every minor collection, and a read of a large body would cost twice as much.
 */
export function keepState(read: RequestRead<Body>, state: BodyState): void {
  Object.defineProperty(read, stateKey, { value: state, enumerable: false })
}

/** null for a read that did not come from here, such as one that was copied. */
export function stateOf(read: RequestRead<Body>): BodyState | null {
  const state = Reflect.get(read, stateKey) as BodyState | undefined
  return state ?? null
}

/** How many leading messages lie wholly within the first `length` characters or bytes of the body. */
export function messagesWithin(state: BodyState, length: number): number {
  return partitionPoint(state.messages.length, (index) => {
    const message = state.messages[index]!
    const last = state.elements[message.firstElement + message.elementCount - 1]!
    return last.end <= length
  })
}

/** The message of one element. */
export function messageOf(entry: Entry, firstElement: number): ReadMessage {
  const { role, items, places, calls, group } = entry
  return { draft: { role, items }, places, firstElement, elementCount: 1, calls, group }
}

/** A message to which elements can still be added. */
export class OpenMessage {
  readonly #role: Role
  #items: readonly ItemDraft[]
  #places: readonly Place[]
  /** The same two as lists of our own, from the second element on; most messages have but one. */
  #added: { readonly items: ItemDraft[]; readonly places: Place[] } | null = null
  readonly #firstElement: number
  readonly group: string | null
  #elementCount: number
  calls: CallIndex

  constructor(entry: Entry, firstElement: number) {
    this.#role = entry.role
    this.#items = entry.items
    this.#places = entry.places
    this.#firstElement = firstElement
    this.#elementCount = 1
    this.group = entry.group
    this.calls = entry.calls
  }

  /** Opens a finished message again. The finished one stays as it is. */
  static reopen(message: ReadMessage): OpenMessage {
    const { draft, places, calls, group } = message
    const entry: Entry = {
      kind: 'entry',
      role: draft.role,
      items: draft.items,
      places,
      calls,
      group,
    }
    const open = new OpenMessage(entry, message.firstElement)
    open.#elementCount = message.elementCount
    return open
  }

  add(entry: Entry): void {
    this.#added ??= this.#copyLists()
    const { items, places } = this.#added
    for (const item of entry.items) items.push(item)
    for (const place of entry.places) places.push({ ...place, element: this.#elementCount })
    this.#elementCount++
    this.calls = entry.calls
  }

  #copyLists(): { readonly items: ItemDraft[]; readonly places: Place[] } {
    const items = [...this.#items]
    const places = [...this.#places]
    this.#items = items
    this.#places = places
    return { items, places }
  }

  finish(): ReadMessage {
    return {
      draft: { role: this.#role, items: this.#items },
      places: this.#places,
      firstElement: this.#firstElement,
      elementCount: this.#elementCount,
      calls: this.calls,
      group: this.group,
    }
  }
}
