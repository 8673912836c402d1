import { wasShownBefore } from '../propose/supersede/shown-before.ts'
import { createPage, type Page } from '../record/page.ts'
import type { Item, Message } from '../words/item.ts'
import type { Operation } from '../words/operation.ts'

/** Where an item stands in the request: position of its message, and its place in that message. */
export interface Place {
  readonly message: number
  readonly item: number
}

export interface HistoryItemsOptions {
  /** How many messages went out, in this order, with the last request of the history before. */
  readonly sharedMessages: number
  /** Sent bytes may change at any time, as under `eager`. */
  readonly isAlwaysOpen: boolean
}

/**
 * The items of one history in their order: where they stand, which operation they belong to, which of them were sent
 * already, and from where on sent bytes may change all the same.
 */
export class HistoryItems {
  readonly page: Page = createPage()
  /** Calls and results that came in with one of our renditions, so that part of their text is not there. */
  readonly shownBefore: Set<number> = new Set()
  /** How many items went out with the last request. */
  shared = 0
  /** How many items any request has shown. */
  sent = 0
  readonly #items: Item[] = []
  /** By the place of a call or a result in the page. */
  readonly #operationAt: (Operation | undefined)[] = []
  /** The message of each place in the page, and the place at which each message begins. */
  readonly #messageAt: number[] = []
  readonly #firstPlaceOf: number[] = []
  readonly #itemByHandle = new Map<string, Item>()
  readonly #sharedMessages: number
  readonly #closedFrom: number
  /** From this place on, sent bytes may change. */
  #openFrom: number
  /** An epoch of an earlier time is replayed: what went out with the last request stays as it is. */
  #isReplaying = false
  /** The first place that is shown differently from the last request. */
  #changedFrom = Infinity
  #boundTo = 0
  #liveFrom = 0

  constructor({ sharedMessages, isAlwaysOpen }: HistoryItemsOptions) {
    this.#sharedMessages = sharedMessages
    this.#closedFrom = isAlwaysOpen ? 0 : Infinity
    this.#openFrom = this.#closedFrom
  }

  /** The place behind the newest reasoning that a provider signed. */
  get boundTo(): number {
    return this.#boundTo
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
    if (role === 'user' && items.some(({ kind }) => kind === 'text')) {
      this.#liveFrom = this.page.length
    }
    const message = this.#firstPlaceOf.length
    this.#firstPlaceOf.push(this.page.length)
    for (const item of items) {
      this.#items.push(item)
      this.#itemByHandle.set(item.handle, item)
      this.#messageAt.push(message)
      this.#operationAt.push(undefined)
      // Markers are the agent's own, unless a provider wrote them.
      const isShown = item.kind !== 'marker' || item.opaque === true
      this.page.push(item.index, isShown ? item.text.length : 0)
      if (item.kind === 'reasoning' && item.binding !== 'plain') this.#boundTo = this.page.length
    }
  }

  complete(operation: Operation): void {
    const isShownBefore = wasShownBefore(operation)
    for (const item of [operation.call, operation.result]) {
      if (item === null) continue
      const place = this.page.placeOf(item.index)
      if (place !== undefined) this.#operationAt[place] = operation
      if (isShownBefore) this.shownBefore.add(item.index)
    }
  }

  find(handle: string): Item | undefined {
    return this.#itemByHandle.get(handle)
  }

  placeOf(index: number): Place | undefined {
    const place = this.page.placeOf(index)
    if (place === undefined) return undefined
    const message = this.#messageAt[place] as number
    return { message, item: place - (this.#firstPlaceOf[message] as number) }
  }

  operationOf(item: Item): Operation | undefined {
    const place = this.page.placeOf(item.index)
    return place === undefined ? undefined : this.#operationAt[place]
  }

  /** Each of them twice, for its call and for its result. */
  operations(): readonly Operation[] {
    return this.#operationAt.filter((each) => each !== undefined)
  }

  /** Reasoning that nobody has signed, in its order. */
  plainReasoning(): readonly Item[] {
    return this.#items.filter((item) => item.kind === 'reasoning' && item.binding === 'plain')
  }

  /** Whether the user has not spoken since. */
  isLive(item: Item): boolean {
    return (this.page.placeOf(item.index) ?? 0) >= this.#liveFrom
  }

  /** True for what went out with the last request of the history before. */
  isShared(item: Item): boolean {
    return (this.placeOf(item.index)?.message ?? Infinity) < this.#sharedMessages
  }

  /** True when the item may be shown differently: it was not sent yet, or an epoch is open there. */
  isOpen(item: Item): boolean {
    const place = this.#sentPlaceOf(item)
    if (place >= this.#openFrom) return !(this.#isReplaying && this.isShared(item))
    return place >= this.sent && !this.isShared(item)
  }

  /** True for what no request showed before, or what stands behind where an epoch opened. */
  isReached(item: Item): boolean {
    return this.#sentPlaceOf(item) >= Math.min(this.sent, this.#openFrom)
  }

  #sentPlaceOf(item: Item): number {
    return this.page.placeOf(item.index) ?? Infinity
  }

  /** Sent bytes may change from a place on, until `close`. */
  open(from: number, { isReplayed }: { readonly isReplayed: boolean }): void {
    this.#openFrom = from
    this.#isReplaying = isReplayed
  }

  close(): void {
    this.#openFrom = this.#closedFrom
    this.#isReplaying = false
  }

  /** The item is shown in another size from now on. */
  resize(item: Item, size: number): void {
    this.page.show(item.index, size)
    // What is only replayed was shown so before.
    if (this.isOpen(item)) this.#changedFrom = Math.min(this.#changedFrom, this.#sentPlaceOf(item))
  }

  /** The first place that was sent and is shown differently since this was last asked; null when there is none. */
  takeChangedFrom(): number | null {
    const from = this.#changedFrom < this.sent ? this.#changedFrom : null
    this.#changedFrom = Infinity
    return from
  }
}
