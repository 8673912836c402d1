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
  /** Made anew for every history, because it remembers what a session has open. */
  readonly understanding: Understanding | (() => Understanding)
  /** Without it nothing is protected by name or path. */
  readonly protection?: Protection
  /** The ledger of an earlier process: what was asked for then holds, and all else is decided the same again. */
  readonly ledger?: readonly LedgerEntry[]
  /**
   * The prices and caches that may hold; `model` takes those of the model of each request. Without them every named one,
   * so that the bill is not higher than without us under any.
   */
  readonly regimes?: readonly Regime[] | 'model'
  /** What a user knows better about models. */
  readonly models?: readonly ModelOverride[] | undefined
  /**
   * An epoch that opens on a warm cache because it pays takes at least this share of what is shown off the page, so that
   * many small gains wait for each other; 0 when left out.
   */
  readonly leastShare?: number | undefined
  /**
   * The tool of the agent that brings originals back. Placeholders name it before their handle; without it they name
   * nothing but the handle.
   */
  readonly restore?: { readonly tool: string } | undefined
}

/** A request as it should go out. */
export interface EngineRequest {
  /** The call to the model that this request makes, from 1. */
  readonly turn: number
  readonly relation: Relation
  readonly anchor: Anchor
  /** Everything that is shown differently, in the order of the request. */
  readonly changes: readonly ProjectedChange[]
  /** The epoch that opened with this request; under `eager` every request may change what was sent, and none is told. */
  readonly epoch: EpochEntry | null
  /** What went wrong inside, for the log; the request then goes out unchanged. */
  readonly fault: unknown
}

/**
 * A session goes in, request by request; decisions come out, and what differs in the request.
 *
 * @example
 * const engine = createEngine({ settings, understanding })
 * const { changes } = engine.request(messages)
 */
export interface Engine {
  readonly record: SessionRecord
  /** The decisions about the history of the last request. */
  readonly ledger: Ledger
  /** All that was decided about items of that history when they had been sent already; it shows from an epoch on. */
  readonly pending: readonly PendingProposal[]
  readonly files: FileTracker
  /** The agent's task list in the history of the last request. */
  readonly tasks: TaskTracker
  /** What renditions of the last request name before a handle; see `RequestMoment`. */
  readonly restore: string | null
  /** `moment` tells when and for which model; without it the cache counts as warm. */
  request(messages: readonly MessageDraft[], since?: Anchor, moment?: RequestMoment): EngineRequest
  /** The last request went out as it came: it saved nothing, and that is what the provider has now. */
  markBypassed(): void
  /**
   * The figures of the answer to the last request, by which the next one knows better what the provider has cached. True
   * when they showed something new, which is in the ledger then.
   */
  usage(usage: Usage, model?: string | null): boolean
  /** Shows an item of the last request as asked; false when it is not there or may not be shown so. */
  ask(handle: string, rendition: AskedRendition): boolean
  /** Takes the decision about an item back, for good, also one that does not show yet; false when there is none. */
  undo(handle: string): boolean
  find(handle: string): Item | undefined
  /** The completed operation of a call or result item of the last request. */
  operationOf(item: Item): Operation | undefined
  /** How many items and decisions have been looked at for the history of the last request. */
  readonly itemsVisited: number
}

/** Without a cache, whatever is shorter is cheaper: nothing has to be weighed. */
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

  /** A history that has the first `shared` messages in common with the last one. */
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
        // Fail open: the request goes out as it came, and the next one starts from a clean state.
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
