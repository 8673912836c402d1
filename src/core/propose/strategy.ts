import type { FileTracker } from '../files/index.ts'
import type { Retention } from '../guard/retention.ts'
import type { ActionKind } from '../words/action.ts'
import type { Proposal } from '../words/decision.ts'
import type { Item, Message } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'

/**
 * `later`: the item is in the protected turns or was sent already, and the engine asks again when it may be changed. Views
 * and what goes with them are not asked again: their strategy makes them anew when an epoch opens.
 */
export type Outcome = 'decided' | 'later' | 'refused'

/** What a strategy can see when it is asked. */
export interface Scene {
  readonly settings: Settings
  /** The request that is being prepared, from 1. Completed operations have earlier turns. */
  readonly turn: number
  /** The tool or the command that brings originals back where the agent runs; null where there is none. */
  readonly restore: string | null
  readonly files: FileTracker
  readonly ledger: Ledger
  /** The limit of the context in tokens: the one that is configured, else that of the model; null when nobody knows it. */
  contextLimit(): number | null
  item(index: number): Item
  /** The operation of a call or result item, when it has completed. */
  operationOf(item: Item): Operation | undefined
  /** How long an item is kept when the context gets full. */
  retentionOf(item: Item): Retention
  /** Whether the conversation itself has named an identifier or a path: the user, or the agent in what it says and calls. */
  isKnownName(name: string): boolean
  /** False when the agent itself compacted or cleared the item, so that the model no longer sees it. */
  isVisible(item: Item): boolean
  /**
   * Puts a proposal before the guard. A veto that passes with time (protected turns) is asked again by the engine at the
   * turn when it passes; the strategy need not remember it. Longer renditions than the original are dropped.
   */
  propose(proposal: Proposal): Outcome
  /** What was proposed for an item of the protected turns, and holds when they have passed; the last of several. */
  awaited(item: Item): Proposal | undefined
  /** Whether a proposal would be decided now, for a strategy that does several things together or none. */
  allows(proposal: Proposal): boolean
  /** False for an item that was sent, while what was sent may not change. */
  mayChange(item: Item): boolean
  /** Shows an item as it came, and with a file's view what it stood for; none of them is decided about again. */
  takeBack(item: Item): void
  /**
   * An operation was replaced: its result becomes a placeholder, and, when `pruneToolInputs` is on, its input is
   * stripped to what it is about. Asked only for completed operations of earlier turns than `by`.
   */
  supersede(older: Operation, by: Operation, reason: Proposal['reason'], strategy: string): void
}

/**
 * One rule, with the indexes that it needs, for one history. Called in the order of the session; must not throw. The
 * work of a call may depend on what is new and on what it replaces, never on the length of the session.
 */
export interface Strategy {
  readonly name: string
  /** The only operations that it has something to do with, by what they do; it is not asked about others. */
  readonly actions?: readonly ActionKind[]
  /** The only items that it looks for in messages; it may not be asked about messages that have none of them. */
  readonly items?: readonly Item['kind'][]
  /** An operation has completed. */
  operation?(operation: Operation, scene: Scene): void
  /** A message has come, after its operations. */
  message?(message: Message, scene: Scene): void
  /** All that precedes a request is there; the last word before it is projected. */
  request?(scene: Scene): void
  /** How probable it is that an operation's result will be needed again; null where nothing is known of it. */
  needOf?(operation: Operation, turn: number): number | null
  /** Bytes that were sent may change at this request, all of them or those behind some place. After `request`. */
  epoch?(scene: Scene): void
}

export type StrategyFactory = (settings: Settings) => Strategy | null
