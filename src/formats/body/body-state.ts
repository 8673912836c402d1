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

/** A message together with its source elements. */
export interface ReadMessage {
  readonly draft: MessageDraft
  readonly places: readonly Place[]
  readonly firstElement: number
  readonly elementCount: number
  /** The calls known after this message. */
  readonly calls: CallIndex
  readonly group: string | null
}

/** The parts of a request outside its conversation. */
export interface RequestHead {
  readonly model: string | null
  readonly system: string
  readonly tools: string
}

/** Internal state of a read, for the next read and for a rewrite. */
export interface BodyState {
  readonly messages: readonly ReadMessage[]
  readonly elements: readonly ElementSpan[]
  /** The members before the conversation. */
  readonly headBefore: RequestHead
  /** False if the conversation is not one array, so the next read cannot reuse this one. */
  readonly resumable: boolean
}

const stateKey: unique symbol = Symbol('palimpsest.body-state')

/** Attaches the state to the read as a hidden property. */
export function keepState(read: RequestRead<Body>, state: BodyState): void {
  Object.defineProperty(read, stateKey, { value: state, enumerable: false })
}

/** null for a read without state, such as a copy. */
export function stateOf(read: RequestRead<Body>): BodyState | null {
  const state = Reflect.get(read, stateKey) as BodyState | undefined
  return state ?? null
}

/** How many leading messages end within the first `length` characters or bytes of the body. */
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
  /** Mutable copies of both lists, made when a second element is added. */
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

  /** Continues a finished message. The finished one is not changed. */
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
