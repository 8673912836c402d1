import { wasShownBefore } from '../propose/supersede/shown-before.ts'
import { createItemSizes, type ItemSizes } from '../record/item-sizes.ts'
import type { Item, Message } from '../words/item.ts'
import type { Operation } from '../words/operation.ts'

/** The position of an item in the request: that of its message, and its own in the message. */
export interface Place {
  readonly message: number
  readonly item: number
}

export interface HistoryItemsOptions {
  /** How many messages were sent, in this order, with the last request of the previous history. */
  readonly sharedMessages: number
  /** True when sent bytes may change at any time, as under `eager`. */
  readonly isAlwaysOpen: boolean
}

/**
 * The items of one history in order: their positions, their operations, which of them were sent, and from where on sent
 * bytes may change.
 */
export class HistoryItems {
  readonly sizes: ItemSizes = createItemSizes()
  /** Calls and results that arrived already pruned by us, so part of their text is missing. */
  readonly shownBefore: Set<number> = new Set()
  /** How many items were sent with the last request. */
  shared = 0
  /** How many items were ever sent. */
  sent = 0
  readonly #items: Item[] = []
  /** By the place of a call or a result. */
  readonly #operationAt: (Operation | undefined)[] = []
  /** The message at each place, and the first place of each message. */
  readonly #messageAt: number[] = []
  readonly #firstPlaceOf: number[] = []
  readonly #itemByHandle = new Map<string, Item>()
  readonly #sharedMessages: number
  readonly #closedFrom: number
  /** From this place on, sent bytes may change. */
  #openFrom: number
  /** True while an earlier epoch is replayed; what was sent with the last request then stays as it is. */
  #isReplaying = false
  /** The first place that differs from the last request. */
  #changedFrom = Infinity
  #boundTo = 0
  #liveFrom = 0
  /** True from a tool result to the next answer. */
  #answersCalls = false
  /** Where the tool loop began before the prompt of this turn. */
  #liveBefore = 0

  constructor({ sharedMessages, isAlwaysOpen }: HistoryItemsOptions) {
    this.#sharedMessages = sharedMessages
    this.#closedFrom = isAlwaysOpen ? 0 : Infinity
    this.#openFrom = this.#closedFrom
  }

  /** The place after the newest signed reasoning. */
  get boundTo(): number {
    return this.#boundTo
  }

  /** A prompt ends the tool loop, unless results stand beside it: providers take both for one turn, in any order. */
  #follow(role: Message['role'], items: Message['items']): void {
    if (role === 'assistant') {
      this.#answersCalls = false
      this.#liveBefore = this.#liveFrom
    }
    if (items.some(({ kind }) => kind === 'result')) {
      this.#answersCalls = true
      this.#liveFrom = this.#liveBefore
    }
    if (role === 'user' && !this.#answersCalls && items.some(({ kind }) => kind === 'text')) {
      this.#liveFrom = this.sizes.length
    }
  }

  get newestHandle(): string | null {
    return this.#items.at(-1)?.handle ?? null
  }

  /** How many messages there are. */
  get messages(): number {
    return this.#firstPlaceOf.length
  }

  /** True while any byte may change, so that no epoch has to open. */
  get isAllOpen(): boolean {
    return this.#openFrom === 0
  }

  push({ role, items }: Message): void {
    this.#follow(role, items)
    const message = this.#firstPlaceOf.length
    this.#firstPlaceOf.push(this.sizes.length)
    for (const item of items) {
      this.#items.push(item)
      this.#itemByHandle.set(item.handle, item)
      this.#messageAt.push(message)
      this.#operationAt.push(undefined)
      // Agents do not send their own markers to the model.
      const isShown = item.kind !== 'marker' || item.opaque === true
      this.sizes.push(item.index, isShown ? item.text.length : 0)
      if (item.kind === 'reasoning' && item.binding !== 'plain') this.#boundTo = this.sizes.length
    }
  }

  complete(operation: Operation): void {
    const isShownBefore = wasShownBefore(operation)
    for (const item of [operation.call, operation.result]) {
      if (item === null) continue
      const place = this.sizes.placeOf(item.index)
      if (place !== undefined) this.#operationAt[place] = operation
      if (isShownBefore) this.shownBefore.add(item.index)
    }
  }

  find(handle: string): Item | undefined {
    return this.#itemByHandle.get(handle)
  }

  placeOf(index: number): Place | undefined {
    const place = this.sizes.placeOf(index)
    if (place === undefined) return undefined
    const message = this.#messageAt[place] as number
    return { message, item: place - (this.#firstPlaceOf[message] as number) }
  }

  operationOf(item: Item): Operation | undefined {
    const place = this.sizes.placeOf(item.index)
    return place === undefined ? undefined : this.#operationAt[place]
  }

  /** Each operation appears twice, for its call and for its result. */
  operations(): readonly Operation[] {
    return this.#operationAt.filter((each) => each !== undefined)
  }

  /** Unsigned reasoning, in order. */
  plainReasoning(): readonly Item[] {
    return this.#items.filter((item) => item.kind === 'reasoning' && item.binding === 'plain')
  }

  /** True when no prompt of the user followed. */
  isLive(item: Item): boolean {
    return (this.sizes.placeOf(item.index) ?? 0) >= this.#liveFrom
  }

  /** True when all messages that were sent with the last request of the previous history have arrived. */
  get hasShared(): boolean {
    return this.messages >= this.#sharedMessages
  }

  /** True for items that were sent with the last request of the previous history. */
  isShared(item: Item): boolean {
    return (this.placeOf(item.index)?.message ?? Infinity) < this.#sharedMessages
  }

  /** True when the item may be shown differently: it was not sent yet, or an open epoch covers it. */
  mayChange(item: Item): boolean {
    const place = this.#sentPlaceOf(item)
    if (place >= this.#openFrom) return !(this.#isReplaying && this.isShared(item))
    return place >= this.sent && !this.isShared(item)
  }

  /** True for items that were never sent, or that an open epoch covers. */
  isReached(item: Item): boolean {
    return this.#sentPlaceOf(item) >= Math.min(this.sent, this.#openFrom)
  }

  #sentPlaceOf(item: Item): number {
    return this.sizes.placeOf(item.index) ?? Infinity
  }

  /** Lets sent bytes change from a place on, until `close`. */
  open(from: number, { isReplayed }: { readonly isReplayed: boolean }): void {
    this.#openFrom = from
    this.#isReplaying = isReplayed
  }

  close(): void {
    this.#openFrom = this.#closedFrom
    this.#isReplaying = false
  }

  /** Sets the size in which the item is shown. */
  resize(item: Item, size: number): void {
    this.sizes.show(item.index, size)
    // A replayed change was already sent.
    if (this.mayChange(item))
      this.#changedFrom = Math.min(this.#changedFrom, this.#sentPlaceOf(item))
  }

  /** The first sent place that changed since the last call; null when there is none. */
  takeChangedFrom(): number | null {
    const from = this.#changedFrom < this.sent ? this.#changedFrom : null
    this.#changedFrom = Infinity
    return from
  }
}
