import type { Proposal } from './decision.ts'
import type { Protection } from './guard/guard.ts'
import { HistoryState } from './history-state.ts'
import type { Ledger } from './ledger.ts'
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
  let state = new HistoryState(history)

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
        state = new HistoryState(history, inherited(state, relation, turnsOf(messages, known)))
      }
      try {
        for (const message of record.history(anchor, state.length)) state.take(message)
        state.prepare()
        return { turn: state.turn, relation, anchor, changes: state.projection.changes(), fault: null }
      } catch (fault) {
        // Fail open: the request goes out as it came, and the next one starts from a clean state.
        const { turn } = state
        state = new HistoryState(history, state.asked)
        return { turn, relation, anchor, changes: [], fault }
      }
    },
    ask: (handle, asked) => state.ask(handle, asked),
    undo: (handle) => state.ask(handle, null),
    find: (handle) => state.find(handle) ?? record.find(handle),
    operationOf: (item) => state.operationOf(item),
    get itemsVisited(): number {
      return state.itemsVisited
    },
  }
}

/** A fork takes over what had been asked for up to the fork; an edited history is still the same session. */
function inherited(state: HistoryState, relation: Relation, turns: number): HistoryState['asked'] {
  return relation === 'forked'
    ? state.asked.filter((asked) => asked.turn <= turns + 1)
    : state.asked
}

function turnsOf(messages: readonly MessageDraft[], length: number): number {
  let turns = 0
  for (let position = 0; position < length; position++) {
    if (messages[position]?.role === 'assistant') turns++
  }
  return turns
}
