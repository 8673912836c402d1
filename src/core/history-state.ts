import type { AskedFor, Inherited } from './asked-for.ts'
import { decisionKey, decisionOf, type Proposal } from './decision.ts'
import { judge, type Protection, type Verdict } from './guard/guard.ts'
import { retentionOf } from './guard/retention.ts'
import { isStandIn } from './guard/stand-in.ts'
import { type Heritage, nothingInherited, type StandingDecision } from './heritage.ts'
import { HistoryItems, type Place } from './history-items.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createProjection, type Projection } from './project.ts'
import type { Item, Message } from './record/item.ts'
import { placeholderFor, strippedInput } from './render/index.ts'
import type { EpochEntry, RequestMoment } from './schedule/epoch.ts'
import { makeRoom } from './schedule/make-room.ts'
import type { Page } from './schedule/page.ts'
import { createPending, type Pending } from './schedule/pending.ts'
import type { ChosenEpoch, EpochSchedule, PageBeforeRequest } from './schedule/schedule.ts'
import type { Settings } from './settings.ts'
import type { Outcome, Scene, Strategy, StrategyFactory } from './strategy.ts'
import { isPruneTool } from './supersede/context-tools.ts'
import { failed, succeeded } from './supersede/outcome.ts'
import { createFileTracker, type FileTracker } from './track/files/index.ts'
import { createNameTracker, type NameTracker } from './track/names.ts'
import {
  createOperations,
  type Operation,
  type Operations,
  type Understanding,
} from './track/operation.ts'
import { createTaskTracker, type TaskTracker } from './track/tasks.ts'

export interface HistoryOptions {
  readonly settings: Settings
  readonly understanding: Understanding | (() => Understanding)
  readonly protection: Protection
  readonly strategies: readonly StrategyFactory[]
  item(index: number): Item
}

/** A request that is made now, not one that is only gone through again. */
export interface LiveRequest {
  readonly schedule: EpochSchedule
  readonly moment: RequestMoment
}

/**
 * All that is known of one history: trackers, strategies and the ledger, fed message by message. The same messages give
 * the same decisions, however many came at a time, because strategies are asked before every request in between.
 */
export class HistoryState {
  readonly ledger: Ledger = createLedger()
  readonly files: FileTracker = createFileTracker()
  readonly tasks: TaskTracker = createTaskTracker()
  readonly items: HistoryItems = new HistoryItems()
  readonly page: Page = this.items.page
  readonly projection: Projection = createProjection(this)
  readonly pending: Pending = createPending(this.page)
  readonly #options: HistoryOptions
  readonly #operations: Operations
  readonly #strategies: readonly Strategy[]
  readonly #names: NameTracker = createNameTracker()
  readonly #waiting = new Map<number, Map<number, Proposal>>()
  readonly #asked: AskedFor[] = []
  readonly #scene: Scene & { turn: number }
  #inherited: readonly Inherited[]
  #messages = 0
  #newest: number | null = null
  #turn = 1
  /** How many messages there were when the newest request was prepared. */
  #prepared = 0
  #itemsVisited = 0
  /** The newest request after a call of the prune tool. */
  #askedAtTurn = 0
  readonly #planned = new Map<number, EpochEntry[]>()
  readonly #heritage: Heritage
  /** How many items went out with the last request, and how many any request has shown. */
  #shared = 0
  #sent = 0
  /** From this place on, bytes that were sent may change. */
  #openFrom: number
  #standing: readonly StandingDecision[]
  /** What should be shown as it came, once what was sent may change. */
  readonly #toTakeBack = new Set<Item>()
  /** An epoch of an earlier time is gone through again: it does what it did, and nothing else. */
  #isRepeating = false
  /** The first place that is shown differently from the last request. */
  #changedFrom = Infinity

  constructor(options: HistoryOptions, heritage: Heritage = nothingInherited) {
    this.#options = options
    this.#inherited = heritage.asked
    for (const epoch of heritage.epochs) {
      this.#planned.set(epoch.turn, [...(this.#planned.get(epoch.turn) ?? []), epoch])
    }
    this.#heritage = heritage
    this.#standing = heritage.standing
    this.#openFrom = this.#closedFrom
    const { understanding } = options
    this.#operations = createOperations(
      typeof understanding === 'function' ? understanding() : understanding,
    )
    this.#strategies = options.strategies
      .map((create) => create(options.settings))
      .filter((strategy) => strategy !== null)
    this.#scene = this.#createScene()
  }

  get asked(): readonly AskedFor[] {
    return this.#asked
  }

  /** `eager` may change anything at any time. */
  get #closedFrom(): number {
    return this.#options.settings.schedule === 'eager' ? 0 : Infinity
  }

  /** How many items and decisions have been looked at: it grows with what is new, not with the session. */
  get itemsVisited(): number {
    return this.#itemsVisited + this.projection.decisionsVisited
  }

  /** How many messages it has taken. */
  get length(): number {
    return this.#messages
  }

  /** The request that comes next, from 1. */
  get turn(): number {
    return this.#turn
  }

  operationOf(item: Item): Operation | undefined {
    return this.items.operationOf(item)
  }

  find(handle: string): Item | undefined {
    return this.items.find(handle)
  }

  placeOf(index: number): Place | undefined {
    return this.items.placeOf(index)
  }

  take(message: Message): void {
    if (message.role === 'assistant') {
      this.prepare()
      this.#scene.turn = ++this.#turn
    }
    this.#itemsVisited += message.items.length
    this.items.push(message)
    this.#messages++
    if (this.#messages === this.#heritage.sharedMessages) this.#meetShared()
    this.#newest = message.index
    this.files.hear(message)
    this.#names.hear(message)
    const scene = this.#scene
    for (const completed of this.#operations.observe(message)) {
      const operation = asShown(completed)
      this.items.complete(operation)
      this.files.observe(operation)
      this.tasks.observe(operation)
      for (const strategy of this.#strategies) strategy.operation?.(operation, scene)
      if (operation.status === 'ok' && isPruneTool(operation.call.tool))
        this.#askedAtTurn = this.#turn
    }
    for (const strategy of this.#strategies) strategy.message?.(message, scene)
  }

  /** All that went out with the last request is there, unless it was another history. */
  #meetShared(): void {
    this.#shared = this.page.length
    const { sharedNewest } = this.#heritage
    if (sharedNewest !== null && sharedNewest !== this.items.newestHandle) this.#standing = []
  }

  /** Decides what is left to decide before the next request. Asked again for the same request, it does nothing. */
  prepare(live: LiveRequest | null = null): void {
    if (this.#prepared === this.#messages) return
    this.#prepared = this.#messages
    const scene = this.#scene
    const due = this.#waiting.get(this.#turn)
    this.#waiting.delete(this.#turn)
    for (const proposal of due?.values() ?? []) this.#propose(proposal)
    for (const strategy of this.#strategies) {
      strategy.request?.(scene)
      if (this.#openFrom === 0) strategy.epoch?.(scene)
    }
    this.#carryOver()
    if (this.#openFrom > 0) this.#schedule(live, scene)
    this.#sent = this.page.length
    // A request that is only gone through again is not the last one that was sent.
    if (live !== null) this.#shared = this.#sent
  }

  #schedule(live: LiveRequest | null, scene: Scene): void {
    for (const epoch of this.#planned.get(this.#turn) ?? []) {
      this.#isRepeating = true
      this.#open(epoch, scene)
      this.#isRepeating = false
    }
    if (live !== null) this.#keepStanding()
    const before = this.#pageBefore()
    const chosen = this.#chooseEpoch(before, live)
    if (chosen !== null) this.#open({ kind: 'epoch', turn: this.#turn, ...chosen }, scene)
    if (live !== null) {
      const from = this.#changedFrom < this.#sent ? this.#changedFrom : null
      this.ledger.sent(live.schedule.book(before, from, live.moment))
    }
    this.#changedFrom = Infinity
  }

  /**
   * What the client changed in its history may let strategies see the rest of it in another light. What they decided
   * about it before holds all the same while what replaced it is there, because its bytes are cached.
   */
  #keepStanding(): void {
    const standing = this.#standing
    this.#standing = []
    for (const { decision, by } of standing) {
      const item = this.find(decision.handle)
      const replacing = by === null ? null : this.find(by)
      if (item === undefined || replacing === undefined) continue
      if (this.ledger.isReverted(item.index) || !this.#isShared(item)) continue
      const belongsToCall = item.kind === 'call' || item.kind === 'result'
      if (belongsToCall && this.operationOf(item) === undefined) continue
      const { rendition } = this.ledger.of(item.index) ?? {}
      const { how, text } = decision.rendition
      if (rendition?.how === how && rendition.text === text) continue
      this.ledger.add({ ...decision, item: item.index, by: replacing?.index ?? null })
      this.page.show(item.index, text?.length ?? 0)
    }
  }

  #isShared(item: Item): boolean {
    const { message = Infinity } = this.placeOf(item.index) ?? {}
    return message < this.#heritage.sharedMessages
  }

  #open(epoch: EpochEntry, scene: Scene): void {
    const wantedSize = this.page.shownBefore(this.page.length) - epoch.free
    this.ledger.open(epoch)
    this.#openFrom = epoch.from
    for (const item of this.#toTakeBack) {
      if (!this.#isOpen(item)) continue
      this.#takeBack(item)
      this.#toTakeBack.delete(item)
    }
    for (const proposal of this.pending.takeFrom(epoch.from)) this.#propose(proposal)
    for (const strategy of this.#strategies) strategy.epoch?.(scene)
    if (epoch.free > 0) {
      const operations = this.items.operations()
      makeRoom(wantedSize, { operations, page: this.page, scene })
    }
    this.#openFrom = this.#closedFrom
  }

  #chooseEpoch(before: PageBeforeRequest, live: LiveRequest | null): ChosenEpoch | null {
    if (this.#options.settings.schedule !== 'on-demand') {
      return live?.schedule.choose(before, live.moment) ?? null
    }
    const isAsked = this.#askedAtTurn === this.#turn && !this.#planned.has(this.#turn)
    return isAsked ? { reason: 'asked', from: 0, removed: 0, rewritten: 0, free: 0 } : null
  }

  #pageBefore(): PageBeforeRequest {
    return {
      turn: this.#turn,
      messages: this.#messages,
      newest: this.items.newestHandle ?? '',
      page: this.page,
      pending: this.pending,
      shared: this.#shared,
      sent: this.#sent,
      boundTo: this.items.boundTo,
      isRewritten: this.#heritage.isRewritten,
    }
  }

  /** A person or the agent asks for a rendition, or (null) takes one back. False when the guard does not allow it. */
  ask(handle: string, proposal: AskedFor['proposal']): boolean {
    const item = this.find(handle)
    if (item === undefined) return false
    const isDone = proposal === null ? this.#takeBack(item) : this.#fulfil(item, proposal)
    if (isDone) this.#asked.push({ handle, turn: this.#turn, after: this.#newest, proposal })
    return isDone
  }

  /** What cannot be done now is not done later: whoever asked was told so. */
  #fulfil(item: Item, asked: Omit<Proposal, 'item' | 'by'>): boolean {
    const proposal = { ...asked, item, by: null }
    return this.#isAllowed(proposal) && this.#propose(proposal) === 'decided'
  }

  /** Together with a file's view goes what it stood for, because the original does not show that. */
  #takeBack(item: Item): boolean {
    const isView = this.ledger.of(item.index)?.rendition.how === 'view'
    if (!this.ledger.revert(item.index, this.#turn)) return false
    this.#leave(item)
    if (isView) this.#takeBackReplaced(item.index)
    return true
  }

  /** The item is shown as it came, and nothing waits to happen to it. */
  #leave(item: Item): void {
    this.#resize(item, item.text.length)
    this.pending.drop(item.index)
  }

  #resize(item: Item, size: number): void {
    this.page.show(item.index, size)
    // What is only done again was shown so before.
    if (!this.#isOpen(item)) return
    this.#changedFrom = Math.min(this.#changedFrom, this.page.placeOf(item.index) ?? Infinity)
  }

  #takeBackReplaced(by: number): void {
    for (const index of this.ledger.replacedBy(by)) {
      if (this.ledger.of(index)?.strategy !== 'files') continue
      this.ledger.revert(index, this.#turn)
      this.#leave(this.#options.item(index))
      this.#takeBackReplaced(index)
    }
  }

  #carryOver(): void {
    if (this.#inherited.length === 0) return
    const isDue = ({ due, asked }: Inherited): boolean =>
      due <= this.#turn && this.find(asked.handle) !== undefined
    const due = this.#inherited.filter(isDue)
    if (due.length === 0) return
    this.#inherited = this.#inherited.filter((each) => !isDue(each))
    for (const { asked } of due) {
      const item = this.find(asked.handle)
      if (item === undefined) continue
      if (asked.proposal !== null) {
        if (!this.#fulfil(item, asked.proposal)) continue
      } else if (!this.ledger.isReverted(item.index) && !this.#takeBack(item)) {
        // Decided about later, or not at all in this history: it stays as the person wanted it.
        this.ledger.keep(item.index, item.handle, this.#turn)
        this.#leave(item)
      }
      this.#asked.push(asked)
    }
  }

  #createScene(): Scene & { turn: number } {
    const { settings, item } = this.#options
    return {
      settings,
      turn: this.#turn,
      files: this.files,
      ledger: this.ledger,
      item: (index) => this.#visit(item(index)),
      operationOf: (each) => this.operationOf(this.#visit(each)),
      retentionOf: (each) => retentionOf(this.#visit(each), this),
      isKnownName: (name) => this.#names.has(name),
      isVisible: (each) => each.kind !== 'result' || !isStandIn(this.#visit(each).text),
      propose: (proposal) => this.#propose(proposal),
      allows: (proposal) => this.#isAllowed(proposal),
      mayChange: (each) => this.#isOpen(each),
      takeBack: (each) => {
        if (this.#isOpen(each)) this.#takeBack(each)
        else this.#toTakeBack.add(each)
      },
      supersede: (older, by, reason, strategy) => this.#supersede(older, by, reason, strategy),
    }
  }

  #visit(item: Item): Item {
    this.#itemsVisited++
    return item
  }

  #supersede(older: Operation, by: Operation, reason: Proposal['reason'], strategy: string): void {
    const { result, call } = older
    if (result === null || older.turn >= by.turn || !succeeded(by)) return
    if (failed(older) !== (reason === 'retry')) return
    const replacing = by.result ?? by.call
    const text = placeholderFor(older, by, reason, result.handle)
    this.#propose({
      item: result,
      by: replacing,
      reason,
      strategy,
      rendition: { how: 'superseded', text },
    })
    if (!this.#options.settings.pruneToolInputs) return
    const input = strippedInput(older)
    if (input === null) return
    this.#propose({
      item: call,
      by: replacing,
      reason: 'input',
      strategy: 'pruneToolInputs',
      rendition: { how: 'stripped', text: input },
    })
  }

  #judge(proposal: Proposal): Verdict {
    const item = this.#visit(proposal.item)
    if (this.ledger.isReverted(item.index)) return { kind: 'veto', why: 'somebody wanted it back' }
    if (this.#carriesNewer(proposal)) return { kind: 'veto', why: 'something newer points to it' }
    if (this.#pointsToNothing(proposal)) return { kind: 'veto', why: 'what it points to is hidden' }
    return judge({
      proposal,
      operation: this.operationOf(item),
      standing: this.ledger.of(item.index),
      turn: this.#turn,
      mayDrop: this.#isOpen(item),
      settings: this.#options.settings,
      protection: this.#options.protection,
    })
  }

  #isAllowed(proposal: Proposal): boolean {
    return this.#judge(proposal).kind === 'allow' && this.#mayChange(proposal)
  }

  /** What was not sent yet costs nothing to show differently; what was, only in an epoch, or when somebody asks. */
  #mayChange({ item, reason, rendition }: Proposal): boolean {
    if (reason === 'agent' || reason === 'user' || this.#isOpen(item)) return true
    // Gone through again, a decision is made when it was made: before the item was first sent, or in an epoch.
    const place = this.page.placeOf(item.index) ?? Infinity
    if (place < Math.min(this.#sent, this.#openFrom)) return false
    return this.#heritage.decided.has(decisionKey(item.handle, rendition))
  }

  #isOpen(item: Item): boolean {
    const place = this.page.placeOf(item.index) ?? Infinity
    // What went out with the last request was sent, also while this history is only gone through again.
    if (place >= this.#openFrom) return !(this.#isRepeating && this.#isShared(item))
    return place >= this.#sent && !this.#isShared(item)
  }

  /** A proposal that can be made later as it is; views and what goes with them are made anew at each epoch. */
  #canWait({ strategy }: Proposal): boolean {
    return strategy !== 'files' || this.#options.settings.files !== 'current-view'
  }

  #propose(proposal: Proposal): Outcome {
    const { item } = proposal
    const verdict = this.#judge(proposal)
    if (verdict.kind === 'veto') return 'refused'
    if (verdict.kind === 'later') {
      // By then the file may be another one.
      if (proposal.rendition.how === 'view') return 'refused'
      const due = this.#waiting.get(verdict.turn) ?? new Map<number, Proposal>()
      this.#waiting.set(verdict.turn, due.set(item.index, proposal))
      return 'later'
    }
    if (!this.#mayChange(proposal)) {
      if (this.#canWait(proposal)) this.pending.add(proposal, this.#turn)
      return 'later'
    }
    const { rendition, by } = proposal
    this.ledger.add(decisionOf(proposal, this.#turn))
    this.#resize(item, rendition.text?.length ?? 0)
    if (rendition.how === 'superseded' && by !== null) this.#followPointers(item, by, proposal)
    return 'decided'
  }

  /** True when something that is not older than what would replace the item only points to it. */
  #carriesNewer({ item, by, rendition, reason }: Proposal): boolean {
    if (rendition.how !== 'superseded' || reason === 'agent' || reason === 'user') return false
    return this.ledger
      .replacedBy(item.index)
      .some(
        (index) =>
          this.ledger.of(index)?.rendition.how === 'pointer' &&
          (by === null || this.#options.item(index).turn >= by.turn),
      )
  }

  /** True for a pointer, perhaps decided some turns after it was proposed, to what is itself no longer shown. */
  #pointsToNothing({ by, rendition }: Proposal): boolean {
    if (rendition.how !== 'pointer' || by === null) return false
    const how = this.ledger.of(by.index)?.rendition.how
    return how !== undefined && how !== 'view' && how !== 'truncated'
  }

  /** What only pointed to an item that is hidden now is replaced by the same. */
  #followPointers(hidden: Item, by: Item, { reason, strategy }: Proposal): void {
    for (const index of this.ledger.replacedBy(hidden.index)) {
      const operation = this.operationOf(this.#options.item(index))
      const isPointer = this.ledger.of(index)?.rendition.how === 'pointer'
      if (!isPointer || operation?.result?.index !== index || operation.turn >= by.turn) continue
      const replacing = this.operationOf(by) ?? null
      const text = placeholderFor(operation, replacing, reason, operation.result.handle)
      const rendition = { how: 'superseded', text } as const
      this.#propose({ item: operation.result, by, reason, strategy, rendition })
    }
  }
}

/** A result that was cleared says nothing about what the tool found. */
function asShown(operation: Operation): Operation {
  const { result } = operation
  return result !== null && isStandIn(result.text) ? { ...operation, reading: null } : operation
}
