import { createFileTracker, type FileTracker } from '../files/index.ts'
import type { Protection } from '../guard/guard.ts'
import { importanceOf } from '../guard/importance.ts'
import type { Strategy, StrategyFactory, View } from '../propose/strategy.ts'
import { namesNoTool, showsNoContent } from '../render/marks.ts'
import { Pending } from '../schedule/pending.ts'
import type { EpochSchedule } from '../schedule/schedule.ts'
import { createOperations, type Operations } from '../track/operations.ts'
import { createTaskTracker, type TaskTracker } from '../track/tasks.ts'
import { isPruneTool, pruneAnswer } from '../words/context-tools.ts'
import type { How } from '../words/decision.ts'
import { withEffects } from '../words/effects.ts'
import type { Item, Message } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import type { Operation, Understanding } from '../words/operation.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import type { Settings } from '../words/settings.ts'
import { Epochs, type LiveRequest } from './epochs.ts'
import {
  type AskedFor,
  type AskedRendition,
  ContextLimit,
  type Inheritance,
  RestoreCommand,
} from './inherit.ts'
import { HistoryItems, type Place } from './items.ts'
import { createLedger } from './ledger.ts'
import { Projection } from './project.ts'
import { Restores, type RestoreTally } from './restores.ts'
import { Settling } from './settle.ts'

export interface HistoryOptions {
  readonly settings: Settings
  readonly understanding: Understanding | (() => Understanding)
  readonly protection: Protection
  /** The restore tool, unless a request names another; null when there is none, undefined when unknown. */
  readonly restore: string | null | undefined
  readonly strategies: readonly StrategyFactory[]
  item(index: number): Item
}

/**
 * The state of one history: trackers, strategies and the ledger, fed message by message. The same messages give the same
 * decisions however many arrive at a time, because strategies run before every request in between.
 */
export class HistoryState {
  readonly ledger: Ledger = createLedger()
  readonly files: FileTracker = createFileTracker()
  readonly tasks: TaskTracker = createTaskTracker()
  readonly projection: Projection = new Projection(this)
  readonly pending: Pending
  readonly #items: HistoryItems
  readonly #item: (index: number) => Item
  readonly #operations: Operations
  readonly #strategies: readonly Strategy[]
  readonly #settling: Settling
  readonly #epochs: Epochs
  readonly #limit: ContextLimit
  readonly #restore: RestoreCommand
  readonly #restores: Restores
  readonly #view: View
  readonly #sharedMessages: number
  #newest: number | null = null
  /** How many messages there were when the newest request was prepared. */
  #prepared = 0

  constructor(options: HistoryOptions, inheritance: Inheritance) {
    const { settings, understanding, protection, item } = options
    const { ledger } = this
    const { sharedMessages } = inheritance
    this.#item = item
    this.#sharedMessages = sharedMessages
    this.#operations = createOperations(
      typeof understanding === 'function' ? understanding() : understanding,
    )
    this.#strategies = options.strategies
      .map((create) => create(settings))
      .filter((strategy) => strategy !== null)
    const items = new HistoryItems({ sharedMessages, isAlwaysOpen: settings.schedule === 'eager' })
    const pending = new Pending(items.sizes)
    const shared = { ledger, items, pending, inheritance }
    const restores = new Restores(ledger, inheritance)
    const settling = new Settling({
      ...shared,
      settings,
      protection,
      restoreLimits: restores,
      item,
    })
    this.#items = items
    this.pending = pending
    this.#settling = settling
    this.#restores = restores
    this.#limit = new ContextLimit(ledger, inheritance.limits)
    this.#restore = new RestoreCommand(ledger, inheritance, options.restore)
    this.#view = this.#createView(settings)
    const { strategies, view } = { strategies: this.#strategies, view: this.#view }
    this.#epochs = new Epochs({ ...shared, settling, strategies, view, restores })
  }

  get asked(): readonly AskedFor[] {
    return this.#settling.asked
  }

  /** How many items and decisions were visited. Each request adds what is new, not the length of the session. */
  get itemsVisited(): number {
    return this.#settling.itemsVisited + this.projection.decisionsVisited
  }

  /** How many messages it contains. */
  get length(): number {
    return this.#items.messages
  }

  /** The request that comes next, from 1. */
  get turn(): number {
    return this.#settling.turn
  }

  /** The restore tool or command that new renditions name. */
  get restore(): string | null {
    return this.#settling.restore
  }

  /** How often each kind of rendition was used and restored. */
  get restores(): readonly RestoreTally[] {
    return this.#restores.tallies
  }

  /** The renditions that the agent restored since the request before. */
  get restored(): readonly How[] {
    return this.#restores.restoredAt(this.turn)
  }

  operationOf(item: Item): Operation | undefined {
    return this.#items.operationOf(item)
  }

  /** The completed operation of an item, by the item's index in the record. */
  operationAt(index: number): Operation | undefined {
    return this.#items.operationOf(this.#item(index))
  }

  find(handle: string): Item | undefined {
    return this.#items.find(handle)
  }

  placeOf(index: number): Place | undefined {
    return this.#items.placeOf(index)
  }

  /** The next messages belong to this request. */
  expect(live: LiveRequest): void {
    const limit = limitOf(live)
    if (limit !== undefined) this.#limit.expect(limit)
    this.#settling.isPaused = live.moment.isPaused === true
    this.#restores.hasSpentSavings = live.schedule.isSpent()
    this.#settling.floor = live.schedule.promptFloor(live.moment)
    this.#restore.expect(live.moment.restore)
    this.#nameRestore()
  }

  take(message: Message): void {
    if (message.role === 'assistant') {
      this.prepare()
      this.#settling.turn++
      this.#nameRestore()
    }
    this.#settling.itemsVisited += message.items.length
    this.#items.push(message)
    if (this.length === this.#sharedMessages) this.#epochs.reachShared()
    this.#newest = message.index
    this.files.observeMessage(message)
    for (const completed of this.#operations.observe(message)) this.#complete(asShown(completed))
    for (const strategy of this.#strategies) {
      if (looksAtMessage(strategy, message)) {
        this.#settling.run(strategy.message?.(message, this.#view))
      }
    }
  }

  #nameRestore(): void {
    const by = this.#restore.at(this.turn)
    this.#settling.restore = by ?? null
    this.#restores.canRestore = by === undefined || (by !== null && !namesNoTool(by))
  }

  #complete(operation: Operation): void {
    const isUnpruned = this.#items.shownBefore.size === 0
    this.#items.complete(operation)
    if (isUnpruned && this.#items.shownBefore.size > 0) this.#settling.takeBackViews()
    this.#restores.observe(operation, this.turn, (handle) => this.find(handle))
    this.files.observe(operation)
    this.tasks.observe(operation)
    for (const strategy of this.#strategies) {
      if (strategy.actions?.includes(operation.action.kind) ?? true) {
        this.#settling.run(strategy.operation?.(operation, this.#view))
      }
    }
    if (asksForEpoch(operation)) this.#epochs.requestEpoch()
  }

  /** Makes the remaining decisions before the next request. A second call for the same request does nothing. */
  prepare(live: LiveRequest | null = null): void {
    if (this.#prepared === this.length) return
    this.#prepared = this.length
    const items = this.#items
    const { isAllOpen } = items
    this.#limit.set(this.turn, limitOf(live))
    this.#settling.proposeDue()
    // What waited for the end of a pause.
    if (isAllOpen && !this.#settling.isPaused) this.#settling.proposeFrom(0)
    for (const strategy of this.#strategies) {
      this.#settling.run(strategy.request?.(this.#view))
      if (isAllOpen) this.#settling.run(strategy.epoch?.(this.#view))
    }
    this.#settling.repeatInherited()
    if (isAllOpen) this.#settling.mendPointers()
    else this.#epochs.openDue(live)
    items.sent = items.sizes.length
    // A replayed request is not the last one that was sent.
    if (live !== null) items.shared = items.sent
  }

  /** The request that was prepared last was sent unchanged. */
  markBypassed(schedule: EpochSchedule): void {
    this.#epochs.markBypassed(schedule)
  }

  /** The request that was prepared last was sent once more. */
  sentAgain(schedule: EpochSchedule, moment: RequestMoment): void {
    this.#epochs.sentAgain(schedule, moment)
  }

  /** The user or the agent requests a rendition, or reverts one (null). False when the guard refuses. */
  ask(handle: string, proposal: AskedRendition | null): boolean {
    return this.#settling.ask(handle, proposal, this.#newest)
  }

  /** The user wants an item to stay in full. False when it is missing. */
  protect(handle: string): boolean {
    return this.#settling.protect(handle, this.#newest)
  }

  #createView(settings: Settings): View {
    const settling = this.#settling
    const items = this.#items
    return {
      settings,
      get turn() {
        return settling.turn
      },
      get restore() {
        return settling.restore
      },
      files: this.files,
      decisions: this.ledger,
      contextLimit: () => settings.contextLimit ?? this.#limit.at(settling.turn),
      item: (index) => settling.visit(this.#item(index)),
      operationOf: (item) => items.operationOf(settling.visit(item)),
      importanceOf: (item) => importanceOf(settling.visit(item), this),
      isVisible: (item) => item.kind !== 'result' || !showsNoContent(settling.visit(item).text),
      awaited: (item) => this.pending.awaited(item.index),
      mayChange: (item) => items.mayChange(item),
    }
  }
}

function looksAtMessage({ items }: Strategy, message: Message): boolean {
  return items === undefined || message.items.some(({ kind }) => items.includes(kind))
}

/** True for a call of the prune tool that pruned something. */
function asksForEpoch({ status, call, result }: Operation): boolean {
  return status === 'ok' && isPruneTool(call.tool) && !pruneAnswer.isEmpty(result?.text ?? '')
}

/** undefined when the request names no model. */
function limitOf(live: LiveRequest | null): number | null | undefined {
  const model = live?.moment.model ?? null
  return model === null ? undefined : live?.schedule.contextLimit(model)
}

/** A cleared result does not show what the tool returned, so its reading is dropped. */
function asShown(operation: Operation): Operation {
  const { result } = operation
  return result !== null && showsNoContent(result.text)
    ? withEffects({ ...operation, reading: null })
    : operation
}
