import { createFileTracker, type FileTracker } from '../files/index.ts'
import type { Protection } from '../guard/guard.ts'
import { retentionOf } from '../guard/retention.ts'
import type { Scene, StrategyFactory } from '../propose/strategy.ts'
import { isStandIn } from '../render/marks.ts'
import { createPending, type Pending } from '../schedule/pending.ts'
import type { EpochSchedule } from '../schedule/schedule.ts'
import { createNameTracker, type NameTracker } from '../track/names.ts'
import { createOperations, type Operations } from '../track/operations.ts'
import { createTaskTracker, type TaskTracker } from '../track/tasks.ts'
import { isPruneTool } from '../words/context-tools.ts'
import { withEffects } from '../words/effects.ts'
import type { Item, Message } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import type { Operation, Understanding } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'
import type { AskedFor } from './asked-for.ts'
import { Asking } from './asking.ts'
import { ContextLimits } from './context-limits.ts'
import { Deciding } from './deciding.ts'
import { type Heritage, nothingInherited } from './heritage.ts'
import { HistoryItems, type Place } from './history-items.ts'
import { createHooks, type Hooks } from './hooks.ts'
import { createLedger } from './ledger.ts'
import { type LiveRequest, Opening } from './opening.ts'
import { createProjection, type Projection } from './project.ts'
import { RestoreWords } from './restore-words.ts'
import { SentPage } from './sent-page.ts'

export interface HistoryOptions {
  readonly settings: Settings
  readonly understanding: Understanding | (() => Understanding)
  readonly protection: Protection
  /** The tool that brings originals back, where a request says nothing else. */
  readonly restore: string | null
  readonly strategies: readonly StrategyFactory[]
  item(index: number): Item
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
  readonly projection: Projection = createProjection(this)
  readonly pending: Pending = createPending(this.items.page)
  readonly #options: HistoryOptions
  readonly #operations: Operations
  readonly #hooks: Hooks
  readonly #names: NameTracker = createNameTracker()
  readonly #sent: SentPage
  readonly #deciding: Deciding
  readonly #asking: Asking
  readonly #opening: Opening
  readonly #limits: ContextLimits
  readonly #restores: RestoreWords
  readonly #scene: Scene & { turn: number; restore: string | null }
  readonly #sharedMessages: number
  #messages = 0
  #newest: number | null = null
  /** How many messages there were when the newest request was prepared. */
  #prepared = 0

  constructor(options: HistoryOptions, heritage: Heritage = nothingInherited) {
    const { settings, understanding, protection, item } = options
    this.#options = options
    this.#sharedMessages = heritage.sharedMessages
    this.#operations = createOperations(
      typeof understanding === 'function' ? understanding() : understanding,
    )
    const strategies = options.strategies
      .map((create) => create(settings))
      .filter((strategy) => strategy !== null)
    this.#hooks = createHooks(strategies)
    this.#sent = new SentPage(this.items, heritage, settings.schedule)
    const { items, ledger, pending } = this
    const shared = { items, ledger, pending, sent: this.#sent, item }
    this.#deciding = new Deciding({ ...shared, settings, protection, decided: heritage.decided })
    const deciding = this.#deciding
    this.#asking = new Asking({ ...shared, deciding, inherited: heritage.asked })
    const asking = this.#asking
    this.#opening = new Opening({ ...shared, deciding, asking, strategies, heritage })
    this.#limits = new ContextLimits(ledger, heritage.limits)
    const { restores, lastTurn } = heritage
    this.#restores = new RestoreWords(ledger, restores, { usual: options.restore, lastTurn })
    this.#scene = this.#createScene()
  }

  get asked(): readonly AskedFor[] {
    return this.#asking.asked
  }

  /** How many items and decisions have been looked at: it grows with what is new, not with the session. */
  get itemsVisited(): number {
    return this.#deciding.itemsVisited + this.projection.decisionsVisited
  }

  /** How many messages it has taken. */
  get length(): number {
    return this.#messages
  }

  /** The request that comes next, from 1. */
  get turn(): number {
    return this.#deciding.turn
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

  /** The messages that come next are those of this request. */
  expect(live: LiveRequest): void {
    const limit = limitOf(live)
    if (limit !== undefined) this.#limits.expect(limit)
    this.#restores.expect(live.moment.restore)
    this.#chooseWords()
  }

  /** What brings originals back, in what is decided now. */
  get restore(): string | null {
    return this.#scene.restore
  }

  #chooseWords(): void {
    this.#scene.restore = this.#restores.at(this.turn)
    this.#deciding.restore = this.#scene.restore
  }

  /** The completed operation of an item, by its place in the record. */
  operationAt(index: number): Operation | undefined {
    return this.items.operationOf(this.#options.item(index))
  }

  take(message: Message): void {
    if (message.role === 'assistant') {
      this.prepare()
      this.#scene.turn = ++this.#deciding.turn
      this.#chooseWords()
    }
    this.#deciding.itemsVisited += message.items.length
    this.items.push(message)
    this.#messages++
    if (this.#messages === this.#sharedMessages) this.#opening.meetShared()
    this.#newest = message.index
    this.files.hear(message)
    this.#names.hear(message)
    for (const completed of this.#operations.observe(message)) this.#complete(asShown(completed))
    this.#hooks.message(message, this.#scene)
  }

  #complete(operation: Operation): void {
    this.items.complete(operation)
    this.files.observe(operation)
    this.tasks.observe(operation)
    this.#hooks.operation(operation, this.#scene)
    if (operation.status === 'ok' && isPruneTool(operation.call.tool)) this.#opening.askForOne()
  }

  /** Decides what is left to decide before the next request. Asked again for the same request, it does nothing. */
  prepare(live: LiveRequest | null = null): void {
    if (this.#prepared === this.#messages) return
    this.#prepared = this.#messages
    const scene = this.#scene
    const { isAllOpen } = this.#sent
    this.#limits.pass(this.turn, limitOf(live))
    this.#deciding.proposeDue()
    if (isAllOpen) this.#hooks.openRequest(scene)
    else this.#hooks.request(scene)
    this.#asking.carryOver()
    if (!isAllOpen) this.#opening.openDue(scene, this.#messages, live)
    this.#sent.sent = this.items.page.length
    // A request that is only gone through again is not the last one that was sent.
    if (live !== null) this.#sent.shared = this.#sent.sent
  }

  /** The request that was prepared last went out as it came. */
  takeBack(schedule: EpochSchedule): void {
    this.#opening.takeBack(schedule)
  }

  /** A person or the agent asks for a rendition, or (null) takes one back. False when the guard does not allow it. */
  ask(handle: string, proposal: AskedFor['proposal']): boolean {
    return this.#asking.ask(handle, proposal, this.#newest)
  }

  #createScene(): Scene & { turn: number; restore: string | null } {
    const { settings, item } = this.#options
    const deciding = this.#deciding
    return {
      settings,
      turn: deciding.turn,
      restore: deciding.restore,
      files: this.files,
      ledger: this.ledger,
      contextLimit: () => settings.contextLimit ?? this.#limits.at(deciding.turn),
      item: (index) => deciding.visit(item(index)),
      operationOf: (each) => this.operationOf(deciding.visit(each)),
      retentionOf: (each) => retentionOf(deciding.visit(each), this),
      isKnownName: (name) => this.#names.has(name),
      isVisible: (each) => each.kind !== 'result' || !isStandIn(deciding.visit(each).text),
      propose: (proposal) => deciding.propose(proposal),
      awaited: (each) => deciding.awaited(each),
      allows: (proposal) => deciding.allows(proposal),
      mayChange: (each) => this.#sent.isOpen(each),
      takeBack: (each) => this.#asking.takeBackWhenOpen(each),
      supersede: (older, by, reason, strategy) => deciding.supersede(older, by, reason, strategy),
    }
  }
}

/** A request that names no model says nothing about the limit. */
function limitOf(live: LiveRequest | null): number | null | undefined {
  const model = live?.moment.model ?? null
  return model === null ? undefined : live?.schedule.contextLimit(model)
}

/** A result that was cleared says nothing about what the tool found. */
function asShown(operation: Operation): Operation {
  const { result } = operation
  return result !== null && isStandIn(result.text)
    ? withEffects({ ...operation, reading: null })
    : operation
}
