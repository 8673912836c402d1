import type { Page } from '../record/page.ts'
import type { Item } from '../words/item.ts'
import type { Schedule } from '../words/settings.ts'
import type { Heritage } from './heritage.ts'
import type { HistoryItems } from './history-items.ts'

/** What of a history went out already, and from where on it may change all the same. */
export class SentPage {
  readonly page: Page
  readonly #items: HistoryItems
  readonly #sharedMessages: number
  readonly #closedFrom: number
  /** How many items went out with the last request, and how many any request has shown. */
  shared = 0
  sent = 0
  /** From this place on, bytes that were sent may change. */
  #openFrom: number
  /** An epoch of an earlier time is gone through again: it does what it did, and nothing else. */
  #isRepeating = false
  /** The first place that is shown differently from the last request. */
  #changedFrom = Infinity

  constructor(items: HistoryItems, heritage: Heritage, schedule: Schedule) {
    this.page = items.page
    this.#items = items
    this.#sharedMessages = heritage.sharedMessages
    // `eager` may change anything at any time.
    this.#closedFrom = schedule === 'eager' ? 0 : Infinity
    this.#openFrom = this.#closedFrom
  }

  /** True while any byte may change, so that no epoch has to open. */
  get isAllOpen(): boolean {
    return this.#openFrom === 0
  }

  isShared(item: Item): boolean {
    if (this.#sharedMessages === 0) return false
    const message = this.#items.messageOf(item.index) ?? Infinity
    return message < this.#sharedMessages
  }

  isOpen(item: Item): boolean {
    return this.#isOpenAt(this.page.placeOf(item.index) ?? Infinity, item)
  }

  #isOpenAt(place: number, item: Item): boolean {
    // What went out with the last request was sent, also while this history is only gone through again.
    if (place >= this.#openFrom) return !(this.#isRepeating && this.isShared(item))
    return place >= this.sent && !this.isShared(item)
  }

  /** True for what no request showed before, or what stands behind where an epoch opened. */
  isReached(item: Item): boolean {
    const place = this.page.placeOf(item.index) ?? Infinity
    return place >= Math.min(this.sent, this.#openFrom)
  }

  /** Runs what may change everything from a place on. */
  open(from: number, { isRepeated }: { readonly isRepeated: boolean }, run: () => void): void {
    this.#openFrom = from
    this.#isRepeating = isRepeated
    run()
    this.#isRepeating = false
    this.#openFrom = this.#closedFrom
  }

  resize(item: Item, size: number): void {
    this.page.show(item.index, size)
    const place = this.page.placeOf(item.index) ?? Infinity
    // What is only done again was shown so before.
    if (place < this.#changedFrom && this.#isOpenAt(place, item)) this.#changedFrom = place
  }

  /** The first place that was sent and is shown differently now; null when there is none. From now on it is as it is. */
  takeChangedFrom(): number | null {
    const from = this.#changedFrom < this.sent ? this.#changedFrom : null
    this.#changedFrom = Infinity
    return from
  }
}
