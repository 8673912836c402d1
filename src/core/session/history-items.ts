import { wasShownBefore } from '../propose/supersede/shown-before.ts'
import { createPage, type Page } from '../record/page.ts'
import type { Item, Message } from '../words/item.ts'
import type { Operation } from '../words/operation.ts'

/** Where an item stands in the request: position of its message, and its place in that message. */
export interface Place {
  readonly message: number
  readonly item: number
}

/** The items of one history in their order, with where they stand and what they belong to. */
export class HistoryItems {
  readonly page: Page = createPage()
  /** Calls and results that came as we show them: whoever showed the history before knew more of it. */
  readonly shownBefore: Set<number> = new Set()
  readonly #items: Item[] = []
  /** By the place of a call or a result in the page. */
  readonly #operationAt: (Operation | undefined)[] = []
  /** The message of each place in the page, and the place at which each message begins. */
  readonly #messageAt: number[] = []
  readonly #firstPlaceOf: number[] = []
  /** The first so many items by their handles; it catches up when somebody looks one up. */
  readonly #itemByHandle = new Map<string, Item>()
  #itemsNamed = 0
  #boundTo = 0
  #liveFrom = 0

  /** The place behind the newest reasoning that a provider signed. */
  get boundTo(): number {
    return this.#boundTo
  }

  get newestHandle(): string | null {
    return this.#items.at(-1)?.handle ?? null
  }

  /** Whether the user has not spoken since. */
  isLive(item: Item): boolean {
    return (this.page.placeOf(item.index) ?? 0) >= this.#liveFrom
  }

  push({ role, items }: Message): void {
    if (role === 'user' && items.some(({ kind }) => kind === 'text')) {
      this.#liveFrom = this.page.length
    }
    const message = this.#firstPlaceOf.length
    this.#firstPlaceOf.push(this.page.length)
    for (const item of items) {
      this.#items.push(item)
      this.#messageAt.push(message)
      this.#operationAt.push(undefined)
      // Markers are the agent's own, unless a provider wrote them.
      const isShown = item.kind !== 'marker' || item.opaque === true
      this.page.push(item.index, isShown ? item.text.length : 0)
      if (item.kind === 'reasoning' && item.binding !== 'plain') this.#boundTo = this.page.length
    }
  }

  complete(operation: Operation): void {
    this.#belongs(operation.call, operation)
    if (operation.result !== null) this.#belongs(operation.result, operation)
    if (!wasShownBefore(operation)) return
    this.shownBefore.add(operation.call.index)
    if (operation.result !== null) this.shownBefore.add(operation.result.index)
  }

  #belongs(item: Item, operation: Operation): void {
    const place = this.page.placeOf(item.index)
    if (place !== undefined) this.#operationAt[place] = operation
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

  find(handle: string): Item | undefined {
    for (; this.#itemsNamed < this.#items.length; this.#itemsNamed++) {
      const item = this.#items[this.#itemsNamed] as Item
      this.#itemByHandle.set(item.handle, item)
    }
    return this.#itemByHandle.get(handle)
  }

  /** The position of the message in which an item stands. */
  messageOf(index: number): number | undefined {
    const place = this.page.placeOf(index)
    return place === undefined ? undefined : this.#messageAt[place]
  }

  placeOf(index: number): Place | undefined {
    const place = this.page.placeOf(index)
    if (place === undefined) return undefined
    const message = this.#messageAt[place] as number
    return { message, item: place - (this.#firstPlaceOf[message] as number) }
  }
}
