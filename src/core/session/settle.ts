import { judge, judgeLinks, type Protection, type Verdict } from '../guard/guard.ts'
import type { RestoreLimits } from '../guard/restore-limits.ts'
import type { Outcome, Proposal, Proposals, Supersession } from '../propose/strategy.ts'
import { failed, succeeded } from '../propose/supersede/outcome.ts'
import { placeholderFor, strippedInput } from '../render/index.ts'
import { bareHandle } from '../render/marks.ts'
import type { Pending } from '../schedule/pending.ts'
import { leavesEnough, type PromptFloor } from '../schedule/prompt-rules.ts'
import { decisionKey, decisionOf, type RenditionProposal } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import type { Settings } from '../words/settings.ts'
import { Claims } from './claims.ts'
import type { AskedFor, AskedRendition, Inheritance, InheritedRequest } from './inherit.ts'
import type { HistoryItems } from './items.ts'

export interface SettlingOptions {
  readonly settings: Settings
  readonly protection: Protection
  readonly ledger: Ledger
  readonly items: HistoryItems
  readonly pending: Pending
  readonly inheritance: Inheritance
  readonly restoreLimits: RestoreLimits
  item(index: number): Item
}

/**
 * Settles proposals of strategies and requests by the user or the agent. The guard judges each; what it allows goes into
 * the ledger, at once or when the item may change.
 */
export class Settling {
  /** The request that is being prepared, from 1. */
  turn = 1
  /** See `View`. */
  restore: string | null = null
  /** True while strategies may not change anything new; see `RequestMoment`. */
  isPaused = false
  /** Automatic changes leave a prompt that is long enough to be cached. */
  floor: PromptFloor = { shown: 0, original: 0 }
  /** How many items and decisions were visited. */
  itemsVisited = 0
  /** Renditions that the user or the agent requested, including inherited ones. */
  readonly asked: AskedFor[] = []
  readonly #options: SettlingOptions
  readonly #ledger: Ledger
  readonly #items: HistoryItems
  readonly #pending: Pending
  readonly #claims: Claims
  #inherited: readonly InheritedRequest[]
  /** Items to show in full again once sent bytes may change. */
  readonly #toTakeBack = new Set<Item>()

  constructor(options: SettlingOptions) {
    this.#options = options
    this.#ledger = options.ledger
    this.#items = options.items
    this.#pending = options.pending
    this.#inherited = options.inheritance.asked
    this.#claims = new Claims({
      ledger: options.ledger,
      find: (handle) => this.#items.find(handle),
      item: (index) => options.item(index),
      operationOf: (item) => this.#items.operationOf(item),
    })
  }

  visit(item: Item): Item {
    this.itemsVisited++
    return item
  }

  /** Runs a strategy, and answers each of its proposals. */
  run(proposals: Proposals | undefined): void {
    if (proposals === undefined) return
    let step = proposals.next()
    while (step.done !== true) step = proposals.next(this.#settle(step.value))
  }

  /** Proposes again what waited for items to leave the protected turns. */
  proposeDue(): void {
    for (const proposal of this.#pending.takeDue(this.turn)) this.#show(proposal)
  }

  /** Proposes again what waited for an epoch, from a place on. */
  proposeFrom(place: number): void {
    for (const item of this.#toTakeBack) {
      if (!this.#items.mayChange(item)) continue
      this.#takeBack(item)
      this.#toTakeBack.delete(item)
    }
    for (const proposal of this.#pending.takeFrom(place)) this.#show(proposal)
  }

  /**
   * Nothing points to what is not in the context: an item whose lines have left the place that it names is replaced by what
   * replaced them there, or shown in full again.
   */
  mendPointers(): void {
    for (const item of this.#claims.takeBroken()) {
      if (!this.#supersedePointer(item)) this.#takeBack(item)
    }
  }

  /**
   * The user or the agent requests a rendition, or reverts one (null), while `newest` is the last message. False when the
   * guard refuses.
   */
  ask(handle: string, proposal: AskedRendition | null, newest: number | null): boolean {
    const item = this.#items.find(handle)
    if (item === undefined) return false
    const isDone = proposal === null ? this.#takeBack(item) : this.#fulfil(item, proposal)
    if (isDone) this.asked.push({ handle, turn: this.turn, after: newest, proposal })
    this.mendPointers()
    return isDone
  }

  /** The user wants an item to stay in full, while `newest` is the last message. False when it is missing. */
  protect(handle: string, newest: number | null): boolean {
    const item = this.#items.find(handle)
    if (item === undefined) return false
    const asked = { handle, turn: this.turn, after: newest, proposal: null }
    this.#repeat(item, asked)
    this.asked.push(asked)
    return true
  }

  /**
   * The history turns out to have been pruned before. Files are not tracked in such a history, so decisions about them that
   * were not sent yet are reverted.
   */
  takeBackViews(): void {
    for (const index of this.#ledger.decided()) {
      const item = this.#options.item(index)
      const decision = this.#ledger.of(index)
      if (
        decision !== undefined &&
        this.#isOfView(decision.strategy) &&
        this.#items.mayChange(item)
      )
        this.#takeBack(item)
    }
  }

  /** Repeats the inherited requests that are due. */
  repeatInherited(): void {
    const later: InheritedRequest[] = []
    for (const each of this.#inherited) {
      const { asked, due } = each
      const item = due <= this.turn ? this.#items.find(asked.handle) : undefined
      if (item === undefined) later.push(each)
      else if (this.#repeat(item, asked)) this.asked.push(asked)
    }
    this.#inherited = later
  }

  #repeat(item: Item, { proposal }: AskedFor): boolean {
    if (proposal !== null) return this.#fulfil(item, proposal)
    if (!this.#ledger.isReverted(item.index) && !this.#takeBack(item)) {
      // Nothing is decided about it in this history yet, so it stays in full.
      this.#ledger.keep(item.index, item.handle, this.turn)
      this.#showOriginal(item)
    }
    return true
  }

  #settle(proposal: Proposal): Outcome {
    switch (proposal.kind) {
      case 'show':
        return this.#show(proposal)
      case 'supersede':
        return this.#supersede(proposal)
      case 'take-back':
        return this.#takeBackWhenOpen(proposal.item)
      case 'show-again':
        return this.#showAgain(proposal.item)
      case 'check':
        return this.#isAllowed(proposal.proposal) ? 'decided' : 'refused'
    }
  }

  #show(proposal: RenditionProposal): Outcome {
    const verdict = this.#judge(proposal)
    if (verdict.kind === 'veto') return 'refused'
    if (verdict.kind === 'later') {
      // By then the file may have changed.
      if (proposal.rendition.how === 'view') return 'refused'
      this.#pending.untilTurn(verdict.turn, proposal)
      return 'later'
    }
    if (!this.#mayChange(proposal)) {
      // Views and the changes that belong to them are proposed again at each epoch.
      if (!this.#isOfView(proposal.strategy)) this.#pending.untilEpoch(proposal, this.turn)
      return 'later'
    }
    const { item, rendition, by } = proposal
    this.#ledger.add(decisionOf(proposal, this.turn))
    this.#items.resize(item, rendition.text?.length ?? 0)
    if (rendition.how === 'superseded' && by !== null) this.#supersedePointers(item, by, proposal)
    return 'decided'
  }

  #isAllowed(proposal: RenditionProposal): boolean {
    return this.#mayChange(proposal) && this.#judge(proposal).kind === 'allow'
  }

  #supersede({ older, by, reason, strategy }: Supersession): Outcome {
    const { result, call } = older
    if (result === null || older.turn >= by.turn || !succeeded(by)) return 'refused'
    if (failed(older) !== (reason === 'retry')) return 'refused'
    if (this.#items.shownBefore.size > 0 && this.#isOfView(strategy)) return 'refused'
    const { restore } = this
    const text = placeholderFor(older, by, reason, { handle: result.handle, restore })
    const proposal = { kind: 'show', by: by.result ?? by.call } as const
    const superseded = { ...proposal, item: result, reason, strategy }
    const bare = bareHandle.write(result.handle)
    let outcome = this.#show({ ...superseded, rendition: { how: 'superseded', text } })
    // Most results of a write are a few words, for which only the handle is shorter.
    if (outcome === 'refused' && reason === 'file' && text !== bare)
      outcome = this.#show({ ...superseded, rendition: { how: 'superseded', text: bare } })
    const input = this.#options.settings.pruneToolInputs ? strippedInput(older, restore) : null
    if (input === null) return outcome
    // Where only the input can be shorter, it stands for the whole call.
    const about =
      outcome === 'refused' && reason === 'file'
        ? { reason, strategy }
        : ({ reason: 'input', strategy: 'pruneToolInputs' } as const)
    const stripped = this.#show({ ...proposal, item: call, ...about, rendition: input })
    return outcome === 'refused' ? stripped : outcome
  }

  #judge(proposal: RenditionProposal): Verdict {
    const item = this.visit(proposal.item)
    const { settings, protection, restoreLimits } = this.#options
    const { shownBefore } = this.#items
    const decisions = this.#ledger
    const turnOf = (index: number): number => this.#options.item(index).turn
    const pointingTo = (index: number): readonly number[] => this.#claims.pointingTo(index)
    const { turn } = this
    const about = { proposal, decisions, shownBefore, settings, turn }
    const linked = judgeLinks({ ...about, turnOf, pointingTo })
    if (linked.kind !== 'allow') return linked
    const isSigned = item.kind === 'reasoning' && item.binding !== 'plain'
    return judge({
      proposal,
      operation: this.#items.operationOf(item),
      decisions,
      turn: this.turn,
      mayDrop: isSigned && this.#items.mayChange(item),
      isLive: isSigned && this.#items.isLive(item),
      settings,
      protection,
      restoreLimits,
    })
  }

  /** Unsent items may change freely; sent items only in an epoch or on request. */
  #mayChange({ item, reason, rendition }: RenditionProposal): boolean {
    if (reason === 'agent' || reason === 'user') return true
    if (this.#items.mayChange(item) && !this.isPaused && this.#leavesEnough(item, rendition))
      return true
    // A replay makes each decision at the same time again: before the item was first sent, or in an epoch.
    const { decided } = this.#options.inheritance
    return this.#items.isReached(item) && decided.has(decisionKey(item.handle, rendition))
  }

  #leavesEnough(item: Item, { text }: RenditionProposal['rendition']): boolean {
    const { sizes } = this.#items
    const place = sizes.placeOf(item.index)
    const removed = place === undefined ? 0 : sizes.shownSize(place) - (text?.length ?? 0)
    return leavesEnough(this.floor, sizes, removed)
  }

  /** True for views and the changes that belong to them. */
  #isOfView(strategy: string): boolean {
    return strategy === 'files' && this.#options.settings.files === 'current-view'
  }

  /** When an item is hidden, pointers to it are superseded by its replacement too. */
  #supersedePointers(hidden: Item, by: Item, { reason, strategy }: RenditionProposal): void {
    for (const index of this.#ledger.replacedBy(hidden.index)) {
      const operation = this.#items.operationOf(this.#options.item(index))
      const isPointer = this.#ledger.of(index)?.rendition.how === 'pointer'
      if (!isPointer || operation?.result?.index !== index || operation.turn >= by.turn) continue
      const replacing = this.#items.operationOf(by) ?? null
      const { result } = operation
      const recall = { handle: result.handle, restore: this.restore }
      const text = placeholderFor(operation, replacing, reason, recall)
      const rendition = { how: 'superseded', text } as const
      this.#show({ kind: 'show', item: result, by, reason, strategy, rendition })
    }
  }

  /** Hides a pointer whose target shows newer text now; false when it stays. */
  #supersedePointer(item: Item): boolean {
    const standing = this.#ledger.of(item.index)
    const target = standing?.by == null ? undefined : this.#ledger.of(standing.by)
    const operation = this.#items.operationOf(item)
    if (standing?.rendition.how !== 'pointer' || operation?.result?.index !== item.index)
      return false
    if (target?.rendition.how !== 'view' || target.by === null) return false
    const by = this.#options.item(target.by)
    const replacing = this.#items.operationOf(by)
    if (replacing === undefined || replacing.turn <= operation.turn) return false
    const { reason, strategy } = target
    const recall = { handle: item.handle, restore: this.restore }
    const text = placeholderFor(operation, replacing, reason, recall)
    const rendition = { how: 'superseded', text } as const
    return this.#show({ kind: 'show', item, by, reason, strategy, rendition }) === 'decided'
  }

  /** A request that is refused now is not done later, because the caller has had its answer. */
  #fulfil(item: Item, asked: AskedRendition): boolean {
    const proposal = { ...asked, kind: 'show', item, by: null } as const
    return this.#isAllowed(proposal) && this.#show(proposal) === 'decided'
  }

  #showAgain(item: Item): Outcome {
    const isOpen = this.#items.mayChange(item) && !this.isPaused
    if (!isOpen || this.#ledger.of(item.index) === undefined) return 'refused'
    this.#ledger.reopen(item.index, item.handle, this.turn)
    this.#showOriginal(item)
    return 'decided'
  }

  #takeBackWhenOpen(item: Item): Outcome {
    if (this.#ledger.isReverted(item.index)) return 'refused'
    if (this.#ledger.of(item.index) === undefined) {
      this.#ledger.keep(item.index, item.handle, this.turn)
      return 'decided'
    }
    if (!this.#items.mayChange(item)) {
      this.#toTakeBack.add(item)
      return 'later'
    }
    this.#takeBack(item)
    return 'decided'
  }

  /** Reverts the decision about an item, current or pending; false when there is none. */
  #takeBack(item: Item): boolean {
    const isView = this.#ledger.of(item.index)?.rendition.how === 'view'
    if (!this.#ledger.revert(item.index, this.turn)) {
      if (this.#ledger.isReverted(item.index) || !this.#pending.has(item.index)) return false
      this.#ledger.keep(item.index, item.handle, this.turn)
    }
    this.#showOriginal(item)
    // The original does not contain what the view showed for other items.
    if (isView) this.#takeBackReplaced(item.index)
    return true
  }

  #takeBackReplaced(by: number): void {
    for (const index of this.#ledger.replacedBy(by)) {
      if (this.#ledger.of(index)?.strategy !== 'files') continue
      this.#ledger.revert(index, this.turn)
      this.#showOriginal(this.#options.item(index))
      this.#takeBackReplaced(index)
    }
  }

  /** Shows the item in full and drops its pending proposals. */
  #showOriginal(item: Item): void {
    this.#items.resize(item, item.text.length)
    this.#pending.drop(item.index)
  }
}
