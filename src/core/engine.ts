import type { FileTracker } from './files/index.ts'
import type { Protection } from './guard/guard.ts'
import { pruneStrategies } from './propose/prune/index.ts'
import { supersedeStrategies } from './propose/supersede/index.ts'
import type { Anchor } from './record/branches.ts'
import { createRecord, type SessionRecord } from './record/record.ts'
import type { Relation } from './record/relation.ts'
import type { ModelOverride } from './schedule/models/model-facts.ts'
import type { PendingProposal } from './schedule/pending.ts'
import { type Regime, regimes } from './schedule/regimes.ts'
import { createEpochSchedule } from './schedule/schedule.ts'
import {
  type AskedFor,
  type AskedRendition,
  askedBy,
  askedIn,
  inheritFrom,
  inheritStored,
} from './session/inherit.ts'
import type { ProjectedChange } from './session/project.ts'
import { HistoryState } from './session/state.ts'
import type { TaskTracker } from './track/tasks.ts'
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
  /** The smallest share of the context that an epoch on a warm cache must remove, so that small gains are applied together. */
  readonly leastShare?: number | undefined
  /** The agent's tool that restores originals; placeholders name it before the handle. */
  readonly restore?: { readonly tool: string } | undefined
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
  /** `moment` gives the time and the model; without it the cache counts as warm. */
  request(messages: readonly MessageDraft[], since?: Anchor, moment?: RequestMoment): EngineRequest
  /** The last request was sent unchanged, so it saved nothing and the provider has cached the originals. */
  markBypassed(): void
  /** The usage of the last response, which shows what the provider has cached. True when it added a ledger entry. */
  usage(usage: Usage, model?: string | null): boolean
  /** Shows an item of the last request as requested; false when it is missing or the guard refuses. */
  ask(handle: string, rendition: AskedRendition): boolean
  /** Reverts the decision about an item permanently, even a pending one; false when there is none. */
  undo(handle: string): boolean
  find(handle: string): Item | undefined
  /** The completed operation of a call or result item of the last request. */
  operationOf(item: Item): Operation | undefined
  /** How many items and decisions were visited for the history of the last request. */
  readonly itemsVisited: number
}

/** Without a cache, a shorter request is always cheaper, so there is nothing to compare. */
const cachingRegimes = regimes.filter(({ lifetimeMs }) => lifetimeMs !== null)

const unprotected: Protection = { tool: () => false, file: () => false }

export function createEngine(options: EngineOptions): Engine {
  const record = createRecord()
  const history = {
    settings: options.settings,
    understanding: options.understanding,
    protection: options.protection ?? unprotected,
    restore: options.restore?.tool ?? null,
    strategies: [...supersedeStrategies, ...pruneStrategies],
    item: (index: number): Item => record.items[index] as Item,
  }
  const earlier = options.ledger ?? []
  const schedule = createEpochSchedule({
    name: options.settings.schedule,
    regimes: options.regimes ?? cachingRegimes,
    models: options.models,
    contextLimit: options.settings.contextLimit,
    ledger: earlier,
    leastShare: options.leastShare,
  })
  const asked: AskedFor[] = [...askedIn(earlier)]
  let state = new HistoryState(history, inheritStored(earlier, asked))

  /** Starts a history that shares its first `shared` messages with the last one. */
  function branch(
    path: readonly Message[],
    shared: number,
    kept: readonly AskedFor[],
  ): HistoryState {
    const { ledger } = state
    const earlierHistory = { ledger, asked, kept, items: record.items }
    return new HistoryState(history, inheritFrom(earlierHistory, path, shared))
  }

  function ask(handle: string, proposal: AskedRendition | null): boolean {
    const isDone = state.ask(handle, proposal)
    if (isDone) asked.push(...state.asked.slice(-1))
    return isDone
  }

  return {
    record,
    get ledger() {
      return state.ledger
    },
    get pending() {
      return state.pending.added
    },
    get files() {
      return state.files
    },
    get tasks() {
      return state.tasks
    },
    get restore() {
      return state.restore
    },
    get itemsVisited() {
      return state.itemsVisited
    },
    request(messages, since, moment = { at: null, model: null }) {
      const { relation, anchor, known } = record.append(messages, since)
      if (relation !== 'first' && relation !== 'grown' && relation !== 'same') {
        const path = record.history(anchor)
        const kept =
          relation === 'forked' ? askedBy(path.slice(0, known), state.asked) : state.asked
        state = branch(path, known, kept)
      }
      try {
        const entriesBefore = state.ledger.entries.length
        const live = { schedule, moment }
        state.expect(live)
        for (const message of record.history(anchor, state.length)) state.take(message)
        state.prepare(live)
        const opened = state.ledger.entries.slice(entriesBefore)
        return {
          turn: state.turn,
          relation,
          anchor,
          changes: state.projection.changes(),
          epoch:
            (opened.find((entry) => entry.kind === 'epoch' && entry.turn === state.turn) as
              | EpochEntry
              | undefined) ?? null,
          fault: null,
        }
      } catch (fault) {
        // Fail open: this request is sent unchanged, and the next one starts from a clean state.
        const { turn } = state
        const path = record.history(anchor)
        state = branch(path, path.length, state.asked)
        return { turn, relation, anchor, changes: [], epoch: null, fault }
      }
    },
    markBypassed: () => state.markBypassed(schedule),
    usage(usage, model = null) {
      const corrected = schedule.usage(usage, model)
      if (corrected !== null) state.ledger.sent(corrected)
      return corrected !== null
    },
    ask,
    undo: (handle) => ask(handle, null),
    find: (handle) => state.find(handle) ?? record.find(handle),
    operationOf: (item) => state.operationOf(item),
  }
}
