import type { FileTracker } from '../files/index.ts'
import type { Importance } from '../guard/importance.ts'
import type { ActionKind } from '../words/action.ts'
import type { Reason, RenditionProposal } from '../words/decision.ts'
import type { Item, Message } from '../words/item.ts'
import type { Decisions } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'

/** What a strategy can see when it is asked. Nothing in it changes the session. */
export interface View {
  readonly settings: Settings
  /** The request that is being prepared, from 1. Completed operations have earlier turns. */
  readonly turn: number
  /** The tool or the command that brings originals back where the agent runs; null where there is none. */
  readonly restore: string | null
  readonly files: FileTracker
  readonly decisions: Decisions
  /** The limit of the context in tokens: the configured one, else that of the model; null when it is unknown. */
  contextLimit(): number | null
  item(index: number): Item
  /** The operation of a call or result item, when it has completed. */
  operationOf(item: Item): Operation | undefined
  /** How long an item is kept when the context gets full. */
  importanceOf(item: Item): Importance
  /** False when the agent itself compacted or cleared the item, so that the model no longer sees it. */
  isVisible(item: Item): boolean
  /** The last proposal that waits until the item leaves the protected turns. */
  awaited(item: Item): RenditionProposal | undefined
  /** False for an item that was sent, while what was sent may not change. */
  mayChange(item: Item): boolean
}

/** What a strategy may yield. The engine answers each proposal with an `Outcome`. */
export type Proposal = RenditionProposal | Supersession | TakeBack | Check

/**
 * A newer operation replaces an older one of an earlier turn: the older result becomes a placeholder, and with
 * `pruneToolInputs` its input is stripped to what it is about.
 */
export interface Supersession {
  readonly kind: 'supersede'
  readonly older: Operation
  readonly by: Operation
  readonly reason: Reason
  readonly strategy: string
}

/** Shows an item as it came, and with a file's view all that it stood for; none of them is decided about again. */
export interface TakeBack {
  readonly kind: 'take-back'
  readonly item: Item
}

/** Asks whether a proposal would be decided now, without deciding it. */
export interface Check {
  readonly kind: 'check'
  readonly proposal: RenditionProposal
}

/**
 * `later`: the item is in the protected turns or was sent already. The engine proposes it again when it may be changed;
 * the strategy need not remember it. Views are the exception: their strategy makes them again when an epoch opens.
 */
export type Outcome = 'decided' | 'later' | 'refused'

/** `const outcome = yield proposal`; the result is for a strategy's own functions. */
export type Proposals<Result = void> = Generator<Proposal, Result, Outcome>

/**
 * One rule, with the indexes that it needs, for one history. Called in the order of the session; must not throw. The
 * work of a call may depend on what is new and on what it replaces, never on the length of the session.
 */
export interface Strategy {
  readonly name: string
  /** The only kinds of operations that it is asked about; all when left out. */
  readonly actions?: readonly ActionKind[]
  /** The only kinds of items that it looks for in messages; it is not asked about a message without them. */
  readonly items?: readonly Item['kind'][]
  /** An operation has completed. */
  operation?(operation: Operation, view: View): Proposals | undefined
  /** A message has come, after its operations. */
  message?(message: Message, view: View): Proposals | undefined
  /** Everything before a request has come; the last chance before it is projected. */
  request?(view: View): Proposals | undefined
  /** How probable it is that an operation's result will be needed again; null when nothing is known about it. */
  needOf?(operation: Operation, turn: number): number | null
  /** Sent bytes may change at this request, all of them or those behind some place. After `request`. */
  epoch?(view: View): Proposals | undefined
}

export type StrategyFactory = (settings: Settings) => Strategy | null
