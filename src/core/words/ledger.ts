import type { Decision } from './decision.ts'

export type LedgerEntry =
  | ({ readonly kind: 'decision' } & Decision)
  /** No decision about the item holds any more, and it is not decided about again. */
  | {
      readonly kind: 'revert'
      readonly item: number
      readonly handle: string
      readonly turn: number
    }
  | EpochEntry
  | LimitEntry
  | RestoreEntry
  | RequestEntry

/** All decisions of a session, in order, to read. Later decisions about an item replace earlier ones. */
export interface Decisions {
  readonly entries: readonly LedgerEntry[]
  /** The decision that holds for an item. */
  of(item: number): Decision | undefined
  /** Items about which a decision holds, in the order of the record. */
  decided(): readonly number[]
  /** True once a person or the agent took a decision about this item back: automatic strategies leave it alone. */
  isReverted(item: number): boolean
  /** The items that this one replaced, directly. */
  replacedBy(item: number): readonly number[]
}

/** The decisions of a session, with the means to write them. */
export interface Ledger extends Decisions {
  add(decision: Decision): void
  /** Takes the decision about an item back; false when there is none. */
  revert(item: number, turn: number): boolean
  /** The item is not to be decided about, whether or not it has been. */
  keep(item: number, handle: string, turn: number): void
  /** Sent bytes change at a request; the decisions after it are made in that epoch. */
  open(epoch: EpochEntry): void
  /** By which limit of the context it is decided from a request on. */
  limit(limit: LimitEntry): void
  /** What renditions name from a request on. */
  restore(entry: RestoreEntry): void
  /** A request has been made, after all that was decided for it. */
  sent(request: RequestEntry): void
}

/** From a request on, so many tokens were taken for the limit of the context, where somebody asked for it. */
export interface LimitEntry {
  readonly kind: 'limit'
  readonly turn: number
  /** null when nobody knows. */
  readonly tokens: number | null
}

/** From a request on, originals came back by this tool or command; null where nothing brought them back. */
export interface RestoreEntry {
  readonly kind: 'restore'
  readonly turn: number
  readonly by: string | null
}

/** Why bytes that had been sent changed at a request. */
export type EpochReason =
  /** Nothing is known of what was sent before, so that nothing is cached. */
  | 'resumed'
  /** The client itself changed the history, by a compaction for example. */
  | 'rewritten'
  /** Another model, with a cache of its own. */
  | 'model'
  /** Nothing was sent for longer than the cache lives. */
  | 'idle'
  /** Reading less from now on outweighs writing again. */
  | 'pays'
  /** The agent called its prune tool. */
  | 'asked'
  /** The context would not have fitted. */
  | 'pressure'

/** A request at which sent bytes changed; with it in the ledger, the same requests give the same bytes again. */
export interface EpochEntry {
  readonly kind: 'epoch'
  readonly turn: number
  readonly reason: EpochReason
  /** The first item, counted from 0 in the order of the history, that may be shown differently from before. */
  readonly from: number
  /** Characters that left the page by it, as far as they were known before it opened. */
  readonly removed: number
  /** Characters behind `from` that a provider had cached and took in again. */
  readonly rewritten: number
  /** Characters that had to leave, whatever it cost, so that the context fitted; 0 in all other epochs. */
  readonly free: number
}

/**
 * A request that was made, with what the schedule has to know of it after a restart. Where its answer shows something new
 * of the cache it follows once more: the last one holds.
 */
export interface RequestEntry {
  readonly kind: 'request'
  readonly turn: number
  /** How many messages it had, and the handle of its last item: with both, it is known again. */
  readonly messages: number
  readonly newest: string
  /** Milliseconds since 1970. */
  readonly at: number | null
  readonly model: string | null
  /** How much less the session has cost than without us, for each regime that may hold; see `bank.ts`. */
  readonly balances: readonly number[]
  /** What each model's provider was sent last. */
  readonly caches: readonly ModelCache[]
}

/** What a model's provider was sent last, and how much of it is still shown so. Places count items of the history. */
export interface ModelCache {
  readonly model: string | null
  /** Milliseconds since 1970. */
  readonly at: number | null
  /** How many items it was sent. */
  readonly sent: number
  /** Up to which of them nothing of ours has changed since. */
  readonly unchanged: number
  /** The last request went out as it came, so that what stands behind `unchanged` was never sent as it is shown. */
  readonly isOriginal?: boolean
  /** How long the provider keeps it, where answers have shown that it is not as the table says. */
  readonly observed?: ObservedLifetime
}

/** How long a provider keeps what this client sends, as the figures of its answers have shown. */
export type ObservedLifetime =
  | { readonly kind: 'long' }
  /** An automatic cache that still had what was sent so long before. */
  | { readonly kind: 'at-least'; readonly ms: number }
