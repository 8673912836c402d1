import type { AskedFor, Inherited } from './asked-for.ts'
import type { Decision, Proposal } from './decision.ts'
import { judge, type Protection, type Verdict } from './guard/guard.ts'
import { retentionOf } from './guard/retention.ts'
import { isStandIn } from './guard/stand-in.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createProjection, type Projection } from './project.ts'
import type { Item, Message } from './record/item.ts'
import { placeholderFor, strippedInput } from './render/index.ts'
import type { Settings } from './settings.ts'
import type { Outcome, Scene, Strategy, StrategyFactory } from './strategy.ts'
import { isPruneTool } from './supersede/context-tools.ts'
import { failed, succeeded } from './supersede/outcome.ts'
import { createFileTracker, type FileTracker } from './track/files/index.ts'
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

/** Where an item stands in the request: position of its message, and its place in that message. */
export interface Place {
  readonly message: number
  readonly item: number
}

/**
 * All that is known of one history: trackers, strategies and the ledger, fed message by message. The same messages give
 * the same decisions, however many came at a time, because strategies are asked before every request in between.
 */
export class HistoryState {
  readonly ledger: Ledger = createLedger()
  readonly files: FileTracker = createFileTracker()
  readonly tasks: TaskTracker = createTaskTracker()
  readonly places: Map<number, Place> = new Map()
  readonly projection: Projection = createProjection(this)
  readonly #options: HistoryOptions
  readonly #operations: Operations
  readonly #strategies: readonly Strategy[]
  readonly #operationByItem = new Map<number, Operation>()
  readonly #waiting = new Map<number, Map<number, Proposal>>()
  readonly #itemByHandle = new Map<string, Item>()
  readonly #asked: AskedFor[] = []
  #inherited: readonly Inherited[]
  #messages = 0
  #newest: number | null = null
  #turn = 1
  /** How many messages there were when the newest request was prepared. */
  #prepared = 0
  #itemsVisited = 0
  /** The newest request after a call of the prune tool. */
  #askedAtTurn = 0

  constructor(options: HistoryOptions, inherited: readonly Inherited[] = []) {
    this.#options = options
    this.#inherited = inherited
    const { understanding } = options
    this.#operations = createOperations(
      typeof understanding === 'function' ? understanding() : understanding,
    )
    this.#strategies = options.strategies
      .map((create) => create(options.settings))
      .filter((strategy) => strategy !== null)
  }

  get asked(): readonly AskedFor[] {
    return this.#asked
  }

  /**
   * Whether a decision shows. `on-demand` waits until the agent calls its prune tool; all others apply at once, until
   * there is a schedule.
   */
  isApplied(decision: Decision): boolean {
    if (decision.reason === 'agent' || decision.reason === 'user') return true
    return decision.turn <= this.appliedTurn
  }

  /** Automatic decisions of later requests do not show yet. */
  get appliedTurn(): number {
    return this.#options.settings.schedule === 'on-demand' ? this.#askedAtTurn : Infinity
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
    return this.#operationByItem.get(item.index)
  }

  find(handle: string): Item | undefined {
    return this.#itemByHandle.get(handle)
  }

  take(message: Message): void {
    if (message.role === 'assistant') {
      this.prepare()
      this.#turn++
    }
    for (const [ordinal, item] of message.items.entries()) {
      this.#itemsVisited++
      this.places.set(item.index, { message: this.#messages, item: ordinal })
      this.#itemByHandle.set(item.handle, item)
    }
    this.#messages++
    this.#newest = message.index
    this.files.hear(message)
    const scene = this.#scene()
    for (const completed of this.#operations.observe(message)) {
      const operation = asShown(completed)
      this.#operationByItem.set(operation.call.index, operation)
      if (operation.result !== null) this.#operationByItem.set(operation.result.index, operation)
      this.files.observe(operation)
      this.tasks.observe(operation)
      for (const strategy of this.#strategies) strategy.operation?.(operation, scene)
      if (operation.status === 'ok' && isPruneTool(operation.call.tool))
        this.#askedAtTurn = this.#turn
    }
    for (const strategy of this.#strategies) strategy.message?.(message, scene)
  }

  /** Decides what is left to decide before the next request. Asked again for the same request, it does nothing. */
  prepare(): void {
    if (this.#prepared === this.#messages) return
    this.#prepared = this.#messages
    const scene = this.#scene()
    const due = this.#waiting.get(this.#turn)
    this.#waiting.delete(this.#turn)
    for (const proposal of due?.values() ?? []) this.#propose(proposal)
    for (const strategy of this.#strategies) strategy.request?.(scene)
    this.#carryOver()
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
    if (isView) this.#takeBackReplaced(item.index)
    return true
  }

  #takeBackReplaced(by: number): void {
    for (const index of this.ledger.replacedBy(by)) {
      if (this.ledger.of(index)?.strategy !== 'files') continue
      this.ledger.revert(index, this.#turn)
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
      }
      this.#asked.push(asked)
    }
  }

  #scene(): Scene {
    const { settings, item } = this.#options
    return {
      settings,
      turn: this.#turn,
      files: this.files,
      ledger: this.ledger,
      item: (index) => this.#visit(item(index)),
      operationOf: (each) => this.operationOf(this.#visit(each)),
      retentionOf: (each) => retentionOf(this.#visit(each), this),
      isVisible: (each) => each.kind !== 'result' || !isStandIn(this.#visit(each).text),
      propose: (proposal) => this.#propose(proposal),
      allows: (proposal) => this.#isAllowed(proposal),
      takeBack: (each) => {
        this.#takeBack(each)
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
      settings: this.#options.settings,
      protection: this.#options.protection,
    })
  }

  #isAllowed(proposal: Proposal): boolean {
    return this.#judge(proposal).kind === 'allow'
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
    const { rendition, reason, strategy, by } = proposal
    const decision: Decision = {
      item: item.index,
      handle: item.handle,
      rendition,
      reason,
      strategy,
      by: by?.index ?? null,
      turn: this.#turn,
    }
    this.ledger.add(decision)
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
      const operation = this.#operationByItem.get(index)
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
