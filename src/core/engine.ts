import type { FileTracker } from './files/index.ts'
import type { Protection } from './guard/guard.ts'
import { pruneStrategies } from './propose/prune/index.ts'
import { supersedeStrategies } from './propose/supersede/index.ts'
import type { Anchor } from './record/branches.ts'
import { longHandle } from './record/handles.ts'
import { createRecord, type SessionRecord } from './record/record.ts'
import type { Relation } from './record/relation.ts'
import type { ModelOverride } from './schedule/models/model-facts.ts'
import type { PendingProposal } from './schedule/pending.ts'
import { type Regime, regimes } from './schedule/regimes.ts'
import { createEpochSchedule, type EpochSchedule } from './schedule/schedule.ts'
import {
  type AskedFor,
  type AskedRendition,
  askedBy,
  askedIn,
  inheritFrom,
  inheritStored,
} from './session/inherit.ts'
import type { ProjectedChange } from './session/project.ts'
import type { RestoreTally } from './session/restores.ts'
import { type HistoryOptions, HistoryState } from './session/state.ts'
import type { TaskTracker } from './track/tasks.ts'
import { countBeforeAnswer } from './words/before-answer.ts'
import type { How } from './words/decision.ts'
import type { Item, Message, MessageDraft, Usage } from './words/item.ts'
import type { EpochEntry, Ledger, LedgerEntry } from './words/ledger.ts'
import type { Operation, Understanding } from './words/operation.ts'
import type { RequestMoment } from './words/request-moment.ts'
import type { Settings } from './words/settings.ts'

export interface EngineOptions {
  readonly settings: Settings
  /** A function creates a new one for every history, because it keeps state such as running commands. */
  readonly understanding: Understanding | (() => Understanding)
  /** When left out, nothing is protected by name or path. */
  readonly protection?: Protection
  /** The ledger of an earlier process. Requested renditions are restored; all other decisions are made again the same way. */
  readonly ledger?: readonly LedgerEntry[]
  /**
   * The price regimes to consider; `model` uses the prices of each request's model. When left out, every named regime
   * with a cache is considered, so that no session costs more under any of them.
   */
  readonly regimes?: readonly Regime[] | 'model'
  /** The user's corrections to the model table. */
  readonly models?: readonly ModelOverride[] | undefined
  /**
   * The agent's tool that restores originals; placeholders name it before the handle. null when the agent cannot restore
   * any: then only what something newer has replaced is left out, except under the presets `acp`, `dcp` and `history`.
   */
  readonly restore?: { readonly tool: string } | null | undefined
  /** The fewest hex digits of a handle; 6 when left out. A stored session keeps the length that it began with. */
  readonly handleLength?: number | undefined
}

/** A request as it should go out. */
export interface EngineRequest {
  /** The call to the model that this request makes, from 1. */
  readonly turn: number
  readonly relation: Relation
  readonly anchor: Anchor
  /** All changes, in the order of the request. */
  readonly changes: readonly ProjectedChange[]
  /** The epoch that opened with this request; null under `eager`, where every request may change sent bytes. */
  readonly epoch: EpochEntry | null
  /** The renditions whose originals the agent restored since the request before; empty for a repeated request. */
  readonly restored: readonly How[]
  /** An internal error, for the log; the request is then sent unchanged. */
  readonly fault: unknown
}

/**
 * Takes a session request by request and returns what to change in each request.
 *
 * @example
 * const engine = createEngine({ settings, understanding })
 * const { changes } = engine.request(messages)
 */
export interface Engine {
  readonly record: SessionRecord
  /** The decisions about the history of the last request. */
  readonly ledger: Ledger
  /** Proposals for items that were already sent; they take effect when an epoch opens. */
  readonly pending: readonly PendingProposal[]
  readonly files: FileTracker
  /** The agent's task list in the history of the last request. */
  readonly tasks: TaskTracker
  /** The restore tool or command that renditions of the last request name; see `RequestMoment`. */
  readonly restore: string | null
  /** How often each kind of rendition was used in the history of the last request, and how often it was restored. */
  readonly restores: readonly RestoreTally[]
  /** `moment` gives the time and the model; without it the cache counts as warm. */
  request(messages: readonly MessageDraft[], since?: Anchor, moment?: RequestMoment): EngineRequest
  /** The last request was sent unchanged, so it saved nothing and the provider has cached the originals. */
  markBypassed(): void
  /** The provider was sent the last request again, as it is or with a question at its end. */
  sentAgain(moment: RequestMoment): void
  /** The usage of the last response, which shows what the provider has cached. True when it added a ledger entry. */
  usage(usage: Usage, model?: string | null): boolean
  /** Shows an item of the last request as requested; false when it is missing or the guard refuses. */
  ask(handle: string, rendition: AskedRendition): boolean
  /** Reverts the decision about an item permanently, even a pending one; false when there is none. */
  undo(handle: string): boolean
  /** Shows an item of the last request in full from now on, whatever was decided; false when it is missing. */
  protect(handle: string): boolean
  find(handle: string): Item | undefined
  /** The completed operation of a call or result item of the last request. */
  operationOf(item: Item): Operation | undefined
  /** How many items and decisions were visited for the history of the last request. */
  readonly itemsVisited: number
}

/** Without a cache, a shorter request is always cheaper, so there is nothing to compare. */
const cachingRegimes = regimes.filter(({ lifetimeMs }) => lifetimeMs !== null)

const unprotected: Protection = { tool: () => false, file: () => false }

/** The length of long handles when a stored session has them. */
function handleLengthIn(ledger: readonly LedgerEntry[]): number | undefined {
  const request = ledger.find((entry) => entry.kind === 'request')
  return request !== undefined && request.newest.length >= longHandle ? longHandle : undefined
}

export function createEngine(options: EngineOptions): Engine {
  return new SessionEngine(options)
}

class SessionEngine implements Engine {
  readonly record: SessionRecord
  readonly #history: HistoryOptions
  readonly #schedule: EpochSchedule
  readonly #asked: AskedFor[]
  #state: HistoryState

  constructor(options: EngineOptions) {
    const earlier = options.ledger ?? []
    const record = createRecord({ handleLength: handleLengthIn(earlier) ?? options.handleLength })
    this.record = record
    this.#history = {
      settings: options.settings,
      understanding: options.understanding,
      protection: options.protection ?? unprotected,
      restore: options.restore === null ? null : options.restore?.tool,
      strategies: [...supersedeStrategies, ...pruneStrategies],
      item: (index) => record.items[index] as Item,
    }
    this.#schedule = createEpochSchedule({
      name: options.settings.schedule,
      regimes: options.regimes ?? cachingRegimes,
      models: options.models,
      contextLimit: options.settings.contextLimit,
      ledger: earlier,
    })
    this.#asked = [...askedIn(earlier)]
    this.#state = new HistoryState(this.#history, inheritStored(earlier, this.#asked))
  }

  get ledger(): Ledger {
    return this.#state.ledger
  }

  get pending(): readonly PendingProposal[] {
    return this.#state.pending.added
  }

  get files(): FileTracker {
    return this.#state.files
  }

  get tasks(): TaskTracker {
    return this.#state.tasks
  }

  get restore(): string | null {
    return this.#state.restore
  }

  get restores(): readonly RestoreTally[] {
    return this.#state.restores
  }

  get itemsVisited(): number {
    return this.#state.itemsVisited
  }

  request(
    messages: readonly MessageDraft[],
    since?: Anchor,
    moment: RequestMoment = { at: null, model: null },
  ): EngineRequest {
    const { record } = this
    const { relation, anchor, known } = record.append(messages, since)
    if (moment.isJoined === true && (relation === 'first' || relation === 'grown'))
      this.#join(record.history(anchor))
    if (relation !== 'first' && relation !== 'grown' && relation !== 'same') {
      const path = record.history(anchor)
      const { asked } = this.#state
      this.#branch(
        path,
        known,
        relation === 'forked' ? askedBy(path.slice(0, known), asked) : asked,
      )
    }
    try {
      const decided = this.#state.ledger.entries.length
      const { changes, epoch } = this.#decide(anchor, moment)
      const isOnceMore = relation === 'same' && this.#state.ledger.entries.length === decided
      if (isOnceMore && moment.isRepeated !== true) this.sentAgain(moment)
      const { turn, restored } = this.#state
      const fault = null
      const added = relation === 'same' ? [] : restored
      return { turn, relation, anchor, changes, epoch, restored: added, fault }
    } catch (fault) {
      // Fail open: this request is sent unchanged, and the next one starts from a clean state.
      const { turn, asked } = this.#state
      const path = record.history(anchor)
      this.#branch(path, path.length, asked)
      return { turn, relation, anchor, changes: [], epoch: null, restored: [], fault }
    }
  }

  markBypassed(): void {
    this.#state.markBypassed(this.#schedule)
  }

  usage(usage: Usage, model: string | null = null): boolean {
    const corrected = this.#schedule.usage(usage, model)
    if (corrected !== null) this.#state.ledger.sent(corrected)
    return corrected !== null
  }

  sentAgain(moment: RequestMoment): void {
    this.#state.sentAgain(this.#schedule, moment)
  }

  ask(handle: string, rendition: AskedRendition | null): boolean {
    const isDone = this.#state.ask(handle, rendition)
    if (isDone) this.#asked.push(...this.#state.asked.slice(-1))
    return isDone
  }

  undo(handle: string): boolean {
    return this.ask(handle, null)
  }

  protect(handle: string): boolean {
    const isDone = this.#state.protect(handle)
    if (isDone) this.#asked.push(...this.#state.asked.slice(-1))
    return isDone
  }

  find(handle: string): Item | undefined {
    return this.#state.find(handle) ?? this.record.find(handle)
  }

  operationOf(item: Item): Operation | undefined {
    return this.#state.operationOf(item)
  }

  /** Everything before the newest answer was sent, but not by this engine. */
  #join(path: readonly Message[]): void {
    const { ledger, asked } = this.#state
    const earlier = { ledger, asked: this.#asked, kept: asked, items: this.record.items }
    const inheritance = inheritFrom(earlier, path, countBeforeAnswer(path))
    this.#state = new HistoryState(this.#history, { ...inheritance, isRewritten: false })
  }

  /** Starts a history that shares its first `shared` messages with the last one. */
  #branch(path: readonly Message[], shared: number, kept: readonly AskedFor[]): void {
    const { ledger } = this.#state
    const earlier = { ledger, asked: this.#asked, kept, items: this.record.items }
    this.#state = new HistoryState(this.#history, inheritFrom(earlier, path, shared))
  }

  #decide(anchor: Anchor, moment: RequestMoment): Pick<EngineRequest, 'changes' | 'epoch'> {
    const state = this.#state
    const entriesBefore = state.ledger.entries.length
    const live = { schedule: this.#schedule, moment }
    state.expect(live)
    for (const message of this.record.history(anchor, state.length)) state.take(message)
    state.prepare(live)
    const epoch = state.ledger.entries
      .slice(entriesBefore)
      .find((entry) => entry.kind === 'epoch' && entry.turn === state.turn)
    return { changes: state.projection.changes(), epoch: (epoch as EpochEntry | undefined) ?? null }
  }
}
