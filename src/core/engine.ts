import { type AskedFor, askedBy, askedIn, inheritedBy } from './asked-for.ts'
import type { Proposal } from './decision.ts'
import type { Protection } from './guard/guard.ts'
import { HistoryState } from './history-state.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'
import type { ProjectedChange } from './project.ts'
import { pruneStrategies } from './prune/index.ts'
import type { Anchor } from './record/branches.ts'
import type { Item, MessageDraft } from './record/item.ts'
import { createRecord, type SessionRecord } from './record/record.ts'
import type { Relation } from './record/relation.ts'
import type { Settings } from './settings.ts'
import { supersedeStrategies } from './supersede/index.ts'
import type { FileTracker } from './track/files/index.ts'
import type { Operation, Understanding } from './track/operation.ts'
import type { TaskTracker } from './track/tasks.ts'

export interface EngineOptions {
  readonly settings: Settings
  /** Made anew for every history, because it remembers what a session has open. */
  readonly understanding: Understanding | (() => Understanding)
  /** Without it nothing is protected by name or path. */
  readonly protection?: Protection
  /** The ledger of an earlier process: what was asked for then holds, and all else is decided the same again. */
  readonly ledger?: readonly LedgerEntry[]
}

/** A request as it should go out. */
export interface EngineRequest {
  /** The call to the model that this request makes, from 1. */
  readonly turn: number
  readonly relation: Relation
  readonly anchor: Anchor
  /** Everything that is shown differently, in the order of the request. */
  readonly changes: readonly ProjectedChange[]
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
  readonly files: FileTracker
  /** The agent's task list in the history of the last request. */
  readonly tasks: TaskTracker
  request(messages: readonly MessageDraft[], since?: Anchor): EngineRequest
  /** Shows an item of the last request as asked; false when it is not there or may not be shown so. */
  ask(handle: string, rendition: Pick<Proposal, 'rendition' | 'reason' | 'strategy'>): boolean
  /** Takes the decision about an item back, for good; false when there is none. */
  undo(handle: string): boolean
  find(handle: string): Item | undefined
  /** The completed operation of a call or result item of the last request. */
  operationOf(item: Item): Operation | undefined
  /** How many items and decisions have been looked at for the history of the last request. */
  readonly itemsVisited: number
}

const unprotected: Protection = { tool: () => false, file: () => false }

export function createEngine(options: EngineOptions): Engine {
  const record = createRecord()
  const history = {
    settings: options.settings,
    understanding: options.understanding,
    protection: options.protection ?? unprotected,
    strategies: [...supersedeStrategies, ...pruneStrategies],
    item: (index: number): Item => record.items[index] as Item,
  }
  const asked: AskedFor[] = [...askedIn(options.ledger ?? [])]
  let state = new HistoryState(
    history,
    asked.map((each) => ({ asked: each, due: each.turn })),
  )

  function ask(handle: string, proposal: AskedFor['proposal']): boolean {
    const isDone = state.ask(handle, proposal)
    if (isDone) asked.push(...state.asked.slice(-1))
    return isDone
  }

  return {
    record,
    get ledger(): Ledger {
      return state.ledger
    },
    get files(): FileTracker {
      return state.files
    },
    get tasks(): TaskTracker {
      return state.tasks
    },
    request(messages, since) {
      const { relation, anchor, known } = record.append(messages, since)
      if (relation !== 'first' && relation !== 'grown' && relation !== 'same') {
        const path = record.history(anchor)
        const kept =
          relation === 'forked' ? askedBy(path.slice(0, known), state.asked) : state.asked
        state = new HistoryState(history, inheritedBy(path, asked, kept))
      }
      try {
        for (const message of record.history(anchor, state.length)) state.take(message)
        state.prepare()
        return {
          turn: state.turn,
          relation,
          anchor,
          changes: state.projection.changes(),
          fault: null,
        }
      } catch (fault) {
        // Fail open: the request goes out as it came, and the next one starts from a clean state.
        const { turn } = state
        const path = record.history(anchor)
        state = new HistoryState(history, inheritedBy(path, asked, state.asked))
        return { turn, relation, anchor, changes: [], fault }
      }
    },
    ask: (handle, wanted) => ask(handle, wanted),
    undo: (handle) => ask(handle, null),
    find: (handle) => state.find(handle) ?? record.find(handle),
    operationOf: (item) => state.operationOf(item),
    get itemsVisited(): number {
      return state.itemsVisited
    },
  }
}
