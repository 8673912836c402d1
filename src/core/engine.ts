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
import { type AskedFor, askedBy, askedIn, inheritedBy } from './session/asked-for.ts'
import { limitsIn } from './session/context-limits.ts'
import { decidedIn, epochsIn, type Heritage, lastTurnIn, standingIn } from './session/heritage.ts'
import { HistoryState } from './session/history-state.ts'
import { createLedger } from './session/ledger.ts'
import type { ProjectedChange } from './session/project.ts'
import { restoresIn } from './session/restore-words.ts'
import type { TaskTracker } from './track/tasks.ts'
import type { Proposal } from './words/decision.ts'
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
  passedBy(): void
  /**
   * The figures of the answer to the last request, by which the next one knows better what the provider has cached. True
   * when they showed something new, which is in the ledger then.
   */
  usage(usage: Usage, model?: string | null): boolean
  /** Shows an item of the last request as asked; false when it is not there or may not be shown so. */
  ask(handle: string, rendition: Pick<Proposal, 'rendition' | 'reason' | 'strategy'>): boolean
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
  const last = earlier.findLast((entry) => entry.kind === 'request')
  let state = new HistoryState(history, {
    asked: asked.map((each) => ({ asked: each, due: each.turn })),
    epochs: epochsIn(earlier),
    limits: limitsIn(earlier),
    restores: restoresIn(earlier),
    lastTurn: lastTurnIn(earlier),
    sharedMessages: last?.messages ?? 0,
    sharedNewest: last?.newest ?? null,
    decided: decidedIn(earlier),
    standing: standingIn(createLedger(earlier), earlier),
    isRewritten: false,
  })

  /** What a history takes over from the one before it, with which it has the first `known` messages in common. */
  function heritage(path: readonly Message[], known: number, kept: readonly AskedFor[]): Heritage {
    const turns = path.slice(0, known).filter(({ role }) => role === 'assistant').length
    const { entries } = state.ledger
    return {
      asked: inheritedBy(path, asked, kept),
      epochs: epochsIn(entries).filter(({ turn }) => turn <= turns + 1),
      limits: limitsIn(entries).filter(({ turn }) => turn <= turns + 1),
      restores: restoresIn(entries).filter(({ turn }) => turn <= turns + 1),
      lastTurn: Math.min(turns + 1, lastTurnIn(entries)),
      sharedMessages: known,
      sharedNewest: null,
      decided: decidedIn(entries),
      standing: standingIn(state.ledger, entries, record.items),
      isRewritten: true,
    }
  }

  function ask(handle: string, proposal: AskedFor['proposal']): boolean {
    const isDone = state.ask(handle, proposal)
    if (isDone) asked.push(...state.asked.slice(-1))
    Object.assign(engine, shownOf(state))
    return isDone
  }

  // No getters: V8 keeps those of a literal, with all that they see, until a full collection.
  const engine: Engine = {
    record,
    ...shownOf(state),
    request(messages, since, moment = { at: null, model: null }) {
      const { relation, anchor, known } = record.append(messages, since)
      if (relation !== 'first' && relation !== 'grown' && relation !== 'same') {
        const path = record.history(anchor)
        const kept =
          relation === 'forked' ? askedBy(path.slice(0, known), state.asked) : state.asked
        state = new HistoryState(history, heritage(path, known, kept))
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
        state = new HistoryState(history, heritage(path, path.length, state.asked))
        return { turn, relation, anchor, changes: [], epoch: null, fault }
      } finally {
        Object.assign(engine, shownOf(state))
      }
    },
    passedBy: () => state.takeBack(schedule),
    usage(usage, model = null) {
      const corrected = schedule.usage(usage, model)
      if (corrected !== null) state.ledger.sent(corrected)
      return corrected !== null
    },
    ask: (handle, wanted) => ask(handle, wanted),
    undo: (handle) => ask(handle, null),
    find: (handle) => state.find(handle) ?? record.find(handle),
    operationOf: (item) => state.operationOf(item),
  }
  return engine
}

type ShownState = Pick<
  Engine,
  'ledger' | 'pending' | 'files' | 'tasks' | 'restore' | 'itemsVisited'
>

/** What an engine shows of the history that it is in. */
function shownOf(state: HistoryState): ShownState {
  const { ledger, pending, files, tasks, restore, itemsVisited } = state
  return { ledger, pending: pending.added, files, tasks, restore, itemsVisited }
}
