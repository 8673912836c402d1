import type { Item, ItemDraft, Message, MessageDraft } from '../words/item.ts'
import { addToList } from '../words/lists.ts'
import { type Anchor, Branches, type BranchStep } from './branches.ts'
import { handleDigits, hashMessage } from './content-hash.ts'
import { createHandles, type Handles } from './handles.ts'
import { placedItem } from './placed-item.ts'
import { type Relation, relate } from './relation.ts'
import { estimateTokens } from './tokens.ts'

export interface RecordOptions {
  /** Size of a text in tokens. */
  readonly sizeOf?: (text: string) => number
  /** The fewest hex digits of a handle; 6 when left out. */
  readonly handleLength?: number | undefined
}

/** Work counters, so that tests can check that appending costs no more than what is new. */
export interface RecordWork {
  readonly itemsVisited: number
  readonly charactersHashed: number
}

/** The result of an append. */
export interface Appended {
  /** How this history relates to the one that was appended before it. */
  readonly relation: Relation
  /** The end of this history; give it to the next append as `since`. */
  readonly anchor: Anchor
  /** How many leading messages the record had already. */
  readonly known: number
  readonly added: readonly Message[]
}

/**
 * All messages of a session, append-only. Every request carries the whole history; the record recognises known messages
 * by their hash and adds the rest. A history that was shortened, edited or forked becomes a branch that shares the common
 * part; nothing is ever removed or changed.
 *
 * @example
 * const record = createRecord()
 * const first = record.append(messages)
 * const second = record.append(moreMessages, first.anchor) // only what is new is hashed
 */
export interface SessionRecord {
  /** Every item of every branch, in the order in which they were recorded. */
  readonly items: readonly Item[]
  readonly messages: readonly Message[]
  readonly work: RecordWork
  readonly branches: number
  /**
   * Pass `since` when the first `since.length` messages are known to be those of that history; they are not hashed again.
   * Without it the whole list is hashed.
   */
  append(messages: readonly MessageDraft[], since?: Anchor): Appended
  /** The messages of one history, in order, from a position on. */
  history(anchor: Anchor, from?: number): readonly Message[]
  /** The item with this handle; the oldest one when several branches have the same content. */
  find(handle: string): Item | undefined
}

export function createRecord(options: RecordOptions = {}): SessionRecord {
  return new AppendedRecord(options)
}

class AppendedRecord implements SessionRecord {
  readonly items: Item[] = []
  readonly messages: Message[] = []
  readonly #sizeOf: (text: string) => number
  readonly #branches = new Branches()
  readonly #handles: Handles
  readonly #placesOfMessage = new Map<string, BranchStep[]>()
  /** Holds the first `#itemsNamed` items; `find` adds the rest when called. */
  readonly #itemByHandle = new Map<string, Item>()
  #itemsNamed = 0
  #head: Anchor | null = null
  #itemsVisited = 0
  #charactersHashed = 0

  constructor({ sizeOf = estimateTokens, handleLength }: RecordOptions) {
    this.#sizeOf = sizeOf
    this.#handles = createHandles(handleLength)
  }

  get work(): RecordWork {
    return { itemsVisited: this.#itemsVisited, charactersHashed: this.#charactersHashed }
  }

  get branches(): number {
    return this.#branches.count
  }

  history(anchor: Anchor, from = 0): readonly Message[] {
    const path: Message[] = []
    for (let position = from; position < anchor.length; position++) {
      const step = this.#branches.step(anchor.branch, position)
      if (step !== undefined) path.push(step.message)
    }
    return path
  }

  find(handle: string): Item | undefined {
    for (; this.#itemsNamed < this.items.length; this.#itemsNamed++) {
      const item = this.items[this.#itemsNamed] as Item
      if (!this.#itemByHandle.has(item.handle)) this.#itemByHandle.set(item.handle, item)
    }
    return this.#itemByHandle.get(handle)
  }

  #hash(message: MessageDraft): string {
    this.#itemsVisited += message.items.length
    for (const item of message.items) this.#charactersHashed += item.text.length
    return hashMessage(message)
  }

  /** How often the same message occurs earlier in this history. */
  #occurrencesAt(places: readonly BranchStep[], anchor: Anchor): number {
    const earlier = places.findLast(
      (place) => this.#branches.commonLength(place, anchor) >= place.length,
    )
    return earlier === undefined ? 0 : earlier.occurrence + 1
  }

  #place(draft: MessageDraft, messageHash: string, occurrence: number, turns: number): Message {
    const message = this.messages.length
    const placed: Item[] = []
    for (const [ordinal, item] of draft.items.entries()) {
      const handle = this.#handles.name(handleDigits(messageHash, occurrence, ordinal))
      const turn = turnOf(item, draft, turns)
      const at = { index: this.items.length, message, turn, handle }
      const added = placedItem(item, draft.role, at, this.#sizeOf)
      this.items.push(added)
      placed.push(added)
    }
    const whole = { ...draft, items: placed, index: message, hash: messageHash }
    this.messages.push(whole)
    return whole
  }

  append(drafts: readonly MessageDraft[], since?: Anchor): Appended {
    let at = startingPoint(this.#branches, drafts.length, since)
    const hashes: string[] = []

    for (let position = at.length; position < drafts.length; position++) {
      const messageHash = this.#hash(drafts[position] as MessageDraft)
      const known = this.#branches.next(at, messageHash)
      if (known === undefined) {
        hashes.push(messageHash)
        break
      }
      at = known
    }
    const known = at.length
    for (let position = known + hashes.length; position < drafts.length; position++) {
      hashes.push(this.#hash(drafts[position] as MessageDraft))
    }

    const relation = relate(this.#branches, this.#head, at, drafts, hashes)
    const added: Message[] = []
    let turns = this.#branches.step(at.branch, at.length - 1)?.turns ?? 0
    for (let offset = 0; offset < hashes.length; offset++) {
      const messageHash = hashes[offset] as string
      const draft = drafts[known + offset] as MessageDraft
      const occurrence = this.#occurrencesAt(this.#placesOfMessage.get(messageHash) ?? [], at)
      const message = this.#place(draft, messageHash, occurrence, turns)
      if (draft.role === 'assistant') turns++
      const step = this.#branches.extend(at, { message, turns, occurrence })
      addToList(this.#placesOfMessage, messageHash, step)
      added.push(message)
      at = step
    }
    this.#head = { branch: at.branch, length: at.length }
    return { relation, anchor: this.#head, known, added }
  }
}

/** A `since` that does not fit the record or the list is ignored, so that everything is hashed. */
function startingPoint(branches: Branches, drafts: number, since: Anchor | undefined): Anchor {
  const start = { branch: 0, length: 0 }
  if (since === undefined || !isIndex(since.branch) || !isIndex(since.length)) return start
  if (since.branch >= branches.count || since.length > drafts) return start
  return since.length <= branches.lengthOf(since.branch) ? since : start
}

function isIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0
}

/**
 * Assistant messages belong to the turn that they complete; results and their attachments to the turn of their calls;
 * everything else to the next turn.
 */
function turnOf(item: ItemDraft, message: MessageDraft, turns: number): number {
  if (message.role === 'assistant') return turns + 1
  const answersCall =
    item.kind === 'result' ||
    message.role === 'tool' ||
    (item.kind === 'attachment' && item.call !== undefined)
  return answersCall ? Math.max(1, turns) : turns + 1
}
