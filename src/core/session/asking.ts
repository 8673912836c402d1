import type { Pending } from '../schedule/pending.ts'
import type { Proposal } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import type { AskedFor, Inherited } from './asked-for.ts'
import type { Deciding } from './deciding.ts'
import type { HistoryItems } from './history-items.ts'
import type { SentPage } from './sent-page.ts'

export interface AskingOptions {
  readonly deciding: Deciding
  readonly ledger: Ledger
  readonly items: HistoryItems
  readonly pending: Pending
  readonly sent: SentPage
  readonly inherited: readonly Inherited[]
  item(index: number): Item
}

/** What a person or the agent asks for, and takes back. */
export class Asking {
  readonly asked: AskedFor[] = []
  readonly #options: AskingOptions
  #inherited: readonly Inherited[]
  /** What should be shown as it came, once what was sent may change. */
  readonly #toTakeBack = new Set<Item>()

  constructor(options: AskingOptions) {
    this.#options = options
    this.#inherited = options.inherited
  }

  /**
   * A rendition, or (null) none, is asked for while `newest` is the last message. False when the guard does not allow
   * it.
   */
  ask(handle: string, proposal: AskedFor['proposal'], newest: number | null): boolean {
    const { items, deciding } = this.#options
    const item = items.find(handle)
    if (item === undefined) return false
    const isDone = proposal === null ? this.#takeBack(item) : this.#fulfil(item, proposal)
    if (isDone) this.asked.push({ handle, turn: deciding.turn, after: newest, proposal })
    return isDone
  }

  /** What was asked for in the history that this one was made of, as far as it is due. */
  carryOver(): void {
    if (this.#inherited.length === 0) return
    const { items, ledger, deciding } = this.#options
    const isDue = ({ due, asked }: Inherited): boolean =>
      due <= deciding.turn && items.find(asked.handle) !== undefined
    const due = this.#inherited.filter(isDue)
    if (due.length === 0) return
    this.#inherited = this.#inherited.filter((each) => !isDue(each))
    for (const { asked } of due) {
      const item = items.find(asked.handle)
      if (item === undefined) continue
      if (asked.proposal !== null) {
        if (!this.#fulfil(item, asked.proposal)) continue
      } else if (!ledger.isReverted(item.index) && !this.#takeBack(item)) {
        // Decided about later, or not at all in this history: it stays as the person wanted it.
        ledger.keep(item.index, item.handle, deciding.turn)
        this.#leave(item)
      }
      this.asked.push(asked)
    }
  }

  /** Shows an item as it came, now or once it may be. */
  takeBackWhenOpen(item: Item): void {
    if (this.#options.sent.isOpen(item)) this.#takeBack(item)
    else this.#toTakeBack.add(item)
  }

  /** What waited to be shown as it came, and may be now. */
  takeBackOpen(): void {
    for (const item of this.#toTakeBack) {
      if (!this.#options.sent.isOpen(item)) continue
      this.#takeBack(item)
      this.#toTakeBack.delete(item)
    }
  }

  /** What cannot be done now is not done later: whoever asked was told so. */
  #fulfil(item: Item, asked: Omit<Proposal, 'item' | 'by'>): boolean {
    const { deciding } = this.#options
    const proposal = { ...asked, item, by: null }
    return deciding.allows(proposal) && deciding.propose(proposal) === 'decided'
  }

  /**
   * Together with a file's view goes what it stood for, because the original does not show that. What is decided and not
   * shown yet can be taken back too.
   */
  #takeBack(item: Item): boolean {
    const { ledger, deciding } = this.#options
    const isView = ledger.of(item.index)?.rendition.how === 'view'
    if (!ledger.revert(item.index, deciding.turn)) {
      if (!this.#isToCome(item)) return false
      ledger.keep(item.index, item.handle, deciding.turn)
    }
    this.#leave(item)
    if (isView) this.#takeBackReplaced(item.index)
    return true
  }

  /** True for what waits for an epoch, or for the protected turns to pass. */
  #isToCome(item: Item): boolean {
    const { deciding, pending, ledger } = this.#options
    if (ledger.isReverted(item.index)) return false
    return pending.has(item.index) || deciding.awaited(item) !== undefined
  }

  /** The item is shown as it came, and nothing waits to happen to it. */
  #leave(item: Item): void {
    this.#options.sent.resize(item, item.text.length)
    this.#options.pending.drop(item.index)
    this.#options.deciding.drop(item)
  }

  #takeBackReplaced(by: number): void {
    const { ledger, deciding, item } = this.#options
    for (const index of ledger.replacedBy(by)) {
      if (ledger.of(index)?.strategy !== 'files') continue
      ledger.revert(index, deciding.turn)
      this.#leave(item(index))
      this.#takeBackReplaced(index)
    }
  }
}
