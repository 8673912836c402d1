import type { FileTracker } from '../files/index.ts'
import type { Importance } from '../guard/importance.ts'
import type { ActionKind } from '../words/action.ts'
import type { Reason, RenditionProposal } from '../words/decision.ts'
import type { Item, Message } from '../words/item.ts'
import type { Decisions } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'
import type { Settings } from '../words/settings.ts'

/** What a strategy can see. It cannot change the session through it. */
export interface View {
  readonly settings: Settings
  /** The request that is being prepared, from 1. Completed operations have earlier turns. */
  readonly turn: number
  /** The tool or command that restores originals; null when there is none. */
  readonly restore: string | null
  readonly files: FileTracker
  readonly decisions: Decisions
  /** The context limit in tokens: the configured one, else the model's; null when it is unknown. */
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
  /** False for a sent item while sent bytes may not change. */
  mayChange(item: Item): boolean
}

/** What a strategy may yield. The engine answers each proposal with an `Outcome`. */
export type Proposal = RenditionProposal | Supersession | TakeBack | ShowAgain | Check

/**
 * A newer operation replaces one of an earlier turn: the older result becomes a placeholder, and `pruneToolInputs` strips
 * its input.
 */
export interface Supersession {
  readonly kind: 'supersede'
  readonly older: Operation
  readonly by: Operation
  readonly reason: Reason
  readonly strategy: string
}

/** Shows an item in full again, and for a view also the items that it replaced. They are never pruned again. */
export interface TakeBack {
  readonly kind: 'take-back'
  readonly item: Item
}

/** Shows an item in full again where sent bytes may change; it may be hidden later. Refused where they may not. */
export interface ShowAgain {
  readonly kind: 'show-again'
  readonly item: Item
}

/** Asks whether a proposal would be decided now, without deciding it. */
export interface Check {
  readonly kind: 'check'
  readonly proposal: RenditionProposal
}

/**
 * `later`: the item is in the protected turns or was already sent. The engine proposes it again when it may change, so the
 * strategy need not remember it. Views are the exception: their strategy creates them again when an epoch opens.
 */
export type Outcome = 'decided' | 'later' | 'refused'

/** `const outcome = yield proposal`; the result is for a strategy's own functions. */
export type Proposals<Result = void> = Generator<Proposal, Result, Outcome>

/**
 * One rule for one history, with the indexes that it needs. It is called in the order of the session and must not throw.
 * The work of a call may depend on what is new and on what it replaces, never on the length of the session.
 */
export interface Strategy {
  readonly name: string
  /** The kinds of operations that it is called for; all when left out. */
  readonly actions?: readonly ActionKind[]
  /** The kinds of items that it looks for. It is not called for messages without them. */
  readonly items?: readonly Item['kind'][]
  /** An operation has completed. */
  operation?(operation: Operation, view: View): Proposals | undefined
  /** A message has arrived. Called after its operations. */
  message?(message: Message, view: View): Proposals | undefined
  /** Everything before a request has arrived; the last call before the request is projected. */
  request?(view: View): Proposals | undefined
  /** The probability that an operation's result will be needed again; null when it is unknown. */
  needOf?(operation: Operation, turn: number): number | null
  /** Sent bytes may change at this request, all of them or those after some place. Called after `request`. */
  epoch?(view: View): Proposals | undefined
}

export type StrategyFactory = (settings: Settings) => Strategy | null
