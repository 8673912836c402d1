import { judge, type Protection, type Verdict } from '../guard/guard.ts'
import type { Outcome } from '../propose/strategy.ts'
import { failed, succeeded } from '../propose/supersede/outcome.ts'
import { placeholderFor, strippedInput } from '../render/index.ts'
import type { Pending } from '../schedule/pending.ts'
import { decisionKey, decisionOf, type Proposal, type Reason } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'
import type { Heritage } from './heritage.ts'
import type { HistoryItems } from './history-items.ts'
import type { SentPage } from './sent-page.ts'

export interface DecidingOptions {
  readonly settings: Settings
  readonly protection: Protection
  readonly ledger: Ledger
  readonly items: HistoryItems
  readonly pending: Pending
  readonly sent: SentPage
  /** What was ever decided in the history that this one was made of. */
  readonly decided: Heritage['decided']
  item(index: number): Item
}

const unwanted: Verdict = { kind: 'veto', why: 'somebody wanted it back' }
const decidedBefore: Verdict = { kind: 'veto', why: 'it was shown before' }
const pointedTo: Verdict = { kind: 'veto', why: 'something newer points to it' }
const pointsToHidden: Verdict = { kind: 'veto', why: 'what it points to is hidden' }
/** Reasons that give the same placeholder. */
const toldAlike: ReadonlySet<Reason> = new Set(['hash', 'search', 'query'])

/** Puts proposals before the guard, and what it allows into the ledger: now, when its turns have passed, or in an epoch. */
export class Deciding {
  /** The request for which is decided, from 1. */
  turn = 1
  /** See `Scene`. */
  restore: string | null = null
  /** How many items and decisions have been looked at. */
  itemsVisited = 0
  readonly #options: DecidingOptions
  readonly #ledger: Ledger
  /** The items that leave the protected turns at a request, and all that was proposed for each, in order. */
  readonly #waiting = new Map<number, number[]>()
  readonly #proposed = new Map<number, Proposal[]>()

  #lastOlder: Operation | null = null
  #lastBy: Operation | null = null

  constructor(options: DecidingOptions) {
    this.#options = options
    this.#ledger = options.ledger
  }

  visit(item: Item): Item {
    this.itemsVisited++
    return item
  }

  /** What waited for this request is proposed again, in the order in which it would have been decided before. */
  proposeDue(): void {
    const due = this.#waiting.get(this.turn)
    if (due === undefined) return
    this.#waiting.delete(this.turn)
    for (const item of due) {
      const proposals = this.#proposed.get(item) ?? []
      this.#proposed.delete(item)
      for (const proposal of proposals) this.propose(proposal)
    }
  }

  /** What will hold for an item when it leaves the protected turns, as far as it is known. */
  awaited(item: Item): Proposal | undefined {
    return this.#proposed.size === 0 ? undefined : this.#proposed.get(item.index)?.at(-1)
  }

  /** Nothing that waits is to happen to the item any more. */
  drop(item: Item): void {
    this.#proposed.delete(item.index)
  }

  propose(proposal: Proposal): Outcome {
    const { item } = proposal
    const verdict = this.#judge(proposal)
    if (verdict.kind === 'veto') return 'refused'
    if (verdict.kind === 'later') {
      // By then the file may be another one.
      if (proposal.rendition.how === 'view') return 'refused'
      this.#wait(verdict.turn, proposal)
      return 'later'
    }
    if (!this.#mayChange(proposal)) {
      if (this.#canWait(proposal)) this.#options.pending.add(proposal, this.turn)
      return 'later'
    }
    const { rendition, by } = proposal
    this.#ledger.add(decisionOf(proposal, this.turn))
    this.#options.sent.resize(item, rendition.text?.length ?? 0)
    if (rendition.how === 'superseded' && by !== null) this.#followPointers(item, by, proposal)
    return 'decided'
  }

  allows(proposal: Proposal): boolean {
    return this.#mayChange(proposal) && this.#judge(proposal).kind === 'allow'
  }

  supersede(older: Operation, by: Operation, reason: Proposal['reason'], strategy: string): void {
    const { result, call } = older
    if (result === null || older.turn >= by.turn || !succeeded(by)) return
    if (failed(older) !== (reason === 'retry')) return
    if (this.#isProposed(older, by, reason)) return
    if (this.#options.items.shownBefore.size > 0 && this.#isOfView(strategy)) return
    const replacing = by.result ?? by.call
    const { restore } = this
    const text = placeholderFor(older, by, reason, { handle: result.handle, restore })
    this.propose({
      item: result,
      by: replacing,
      reason,
      strategy,
      rendition: { how: 'superseded', text },
    })
    if (!this.#options.settings.pruneToolInputs) return
    const rendition = strippedInput(older, restore)
    if (rendition === null) return
    this.propose({
      item: call,
      by: replacing,
      reason: 'input',
      strategy: 'pruneToolInputs',
      rendition,
    })
  }

  #wait(turn: number, proposal: Proposal): void {
    const { index } = proposal.item
    const earlier = this.#proposed.get(index)
    if (earlier !== undefined) {
      if (!earlier.some((each) => isSameRendition(each, proposal))) earlier.push(proposal)
      return
    }
    this.#proposed.set(index, [proposal])
    const due = this.#waiting.get(turn)
    if (due === undefined) this.#waiting.set(turn, [index])
    else due.push(index)
  }

  /** True when another strategy has just proposed the same in the same words: the first reason to be told holds. */
  #isProposed(older: Operation, by: Operation, reason: Reason): boolean {
    if (!toldAlike.has(reason)) return false
    const isAgain = this.#lastOlder === older && this.#lastBy === by
    this.#lastOlder = older
    this.#lastBy = by
    return isAgain
  }

  #judge(proposal: Proposal): Verdict {
    const item = this.visit(proposal.item)
    if (this.#ledger.isReverted(item.index)) return unwanted
    if (this.#wasShownBefore(proposal)) return decidedBefore
    if (this.#carriesNewer(proposal)) return pointedTo
    if (this.#pointsToNothing(proposal)) return pointsToHidden
    const { items, sent, settings, protection } = this.#options
    const isSigned = item.kind === 'reasoning' && item.binding !== 'plain'
    return judge({
      proposal,
      operation: items.operationOf(item),
      standing: this.#ledger.of(item.index),
      turn: this.turn,
      mayDrop: isSigned && sent.isOpen(item),
      isLive: isSigned && items.isLive(item),
      settings,
      protection,
    })
  }

  /** What was not sent yet costs nothing to show differently; what was, only in an epoch, or when somebody asks. */
  #mayChange({ item, reason, rendition }: Proposal): boolean {
    const { sent, decided } = this.#options
    if (reason === 'agent' || reason === 'user' || sent.isOpen(item)) return true
    // Gone through again, a decision is made when it was made: before the item was first sent, or in an epoch.
    if (decided.size === 0 || !sent.isReached(item)) return false
    return decided.has(decisionKey(item.handle, rendition))
  }

  /** A proposal that can be made later as it is; views and what goes with them are made anew at each epoch. */
  #canWait({ strategy }: Proposal): boolean {
    return !this.#isOfView(strategy)
  }

  #isOfView(strategy: string): boolean {
    return strategy === 'files' && this.#options.settings.files === 'current-view'
  }

  /**
   * True when the item or what would replace it came as we show it, and no longer says all that it did; and for views and
   * what goes with them once anything did: whoever knew all texts of a file left it as it is.
   */
  #wasShownBefore({ item, by, reason, strategy }: Proposal): boolean {
    const { shownBefore } = this.#options.items
    if (shownBefore.size === 0 || reason === 'agent' || reason === 'user') return false
    if (shownBefore.has(item.index) || (by !== null && shownBefore.has(by.index))) return true
    const { files } = this.#options.settings
    return files === 'current-view' && (strategy === 'files' || strategy === 'pruneReplacedText')
  }

  /** True when something that is not older than what would replace the item only points to it. */
  #carriesNewer({ item, by, rendition, reason }: Proposal): boolean {
    if (rendition.how !== 'superseded' || reason === 'agent' || reason === 'user') return false
    for (const index of this.#ledger.replacedBy(item.index)) {
      if (this.#ledger.of(index)?.rendition.how !== 'pointer') continue
      if (by === null || this.#options.item(index).turn >= by.turn) return true
    }
    return false
  }

  /** True for a pointer, perhaps decided some turns after it was proposed, to what is itself no longer shown. */
  #pointsToNothing({ by, rendition }: Proposal): boolean {
    if (rendition.how !== 'pointer' || by === null) return false
    const how = this.#ledger.of(by.index)?.rendition.how
    return how !== undefined && how !== 'view' && how !== 'truncated'
  }

  /** What only pointed to an item that is hidden now is replaced by the same. */
  #followPointers(hidden: Item, by: Item, { reason, strategy }: Proposal): void {
    const { items, item } = this.#options
    for (const index of this.#ledger.replacedBy(hidden.index)) {
      const operation = items.operationOf(item(index))
      const isPointer = this.#ledger.of(index)?.rendition.how === 'pointer'
      if (!isPointer || operation?.result?.index !== index || operation.turn >= by.turn) continue
      const replacing = items.operationOf(by) ?? null
      const { handle } = operation.result
      const text = placeholderFor(operation, replacing, reason, { handle, restore: this.restore })
      const rendition = { how: 'superseded', text } as const
      this.propose({ item: operation.result, by, reason, strategy, rendition })
    }
  }
}

function isSameRendition({ rendition: one }: Proposal, { rendition: other }: Proposal): boolean {
  return one.how === other.how && one.text === other.text
}
