import type { Decision } from './decision.ts'

export type LedgerEntry =
  | ({ readonly kind: 'decision' } & Decision)
  /** The item is shown in full again, and automatic strategies leave it alone from now on. */
  | {
      readonly kind: 'revert'
      readonly item: number
      readonly handle: string
      readonly turn: number
      /** True when a strategy shows it in full again and may hide it later. */
      readonly again?: true
    }
  | EpochEntry
  | LimitEntry
  | RestoreEntry
  | RequestEntry

/** All decisions of a session, in order, read-only. Later decisions about an item replace earlier ones. */
export interface Decisions {
  readonly entries: readonly LedgerEntry[]
  /** The current decision about an item. */
  of(item: number): Decision | undefined
  /** Estimated tokens of the text that the current decision shows; undefined without a decision. */
  shownTokens(item: number): number | undefined
  /** Items with a current decision, in the order of the record. */
  decided(): readonly number[]
  /** True once a user or the agent reverted a decision about this item. Automatic strategies leave it alone. */
  isReverted(item: number): boolean
  /** The items that this one replaced directly. */
  replacedBy(item: number): readonly number[]
}

/** Returns the entries added since the last call. When given another ledger, it starts from the beginning. */
export class LedgerCursor {
  #ledger: Pick<Decisions, 'entries'> | null = null
  #read = 0

  take(ledger: Pick<Decisions, 'entries'>): readonly LedgerEntry[] {
    const from = ledger === this.#ledger ? this.#read : 0
    this.#ledger = ledger
    this.#read = ledger.entries.length
    return ledger.entries.slice(from)
  }
}

/** The writable decisions of a session. */
export interface Ledger extends Decisions {
  add(decision: Decision): void
  /** Reverts the decision about an item; false when there is none. */
  revert(item: number, turn: number): boolean
  /** Protects an item from decisions, whether or not one was made before. */
  keep(item: number, handle: string, turn: number): void
  /** Drops the decision about an item, which strategies may decide about again. */
  reopen(item: number, handle: string, turn: number): void
  /** Opens an epoch. The decisions added after it belong to it. */
  open(epoch: EpochEntry): void
  /** Sets the context limit that applies from this request on. */
  limit(limit: LimitEntry): void
  /** Sets the restore tool or command that renditions mention from this request on. */
  restore(entry: RestoreEntry): void
  /** Records a request, after all decisions made for it. */
  sent(request: RequestEntry): void
}

/** The context limit in use from this request on. */
export interface LimitEntry {
  readonly kind: 'limit'
  readonly turn: number
  /** null when unknown. */
  readonly tokens: number | null
}

/** The tool or command that restores originals from this request on: null when there is none, left out when unknown. */
export interface RestoreEntry {
  readonly kind: 'restore'
  readonly turn: number
  readonly by?: string | null | undefined
}

/** Why an epoch opened: why a request changed bytes that were sent before. */
export type EpochReason =
  /** It is unknown what was sent before, so nothing counts as cached. */
  | 'resumed'
  /** The client changed the history, for example by a compaction. */
  | 'rewritten'
  /** Another model, which has its own cache. */
  | 'model'
  /** No request for longer than the cache lifetime. */
  | 'idle'
  /** The savings on future reads exceed the cost of rewriting the cache. */
  | 'pays'
  /** The agent called its prune tool. */
  | 'asked'
  /** The context would have exceeded the model's limit. */
  | 'pressure'

/** A request that changed bytes sent before. Replaying the ledger reproduces the same bytes. */
export interface EpochEntry {
  readonly kind: 'epoch'
  readonly turn: number
  readonly reason: EpochReason
  /** The first item, counted from 0 in the history, that may be shown differently than before. */
  readonly from: number
  /** Characters that it removed, as far as known when it opened. */
  readonly removed: number
  /** Cached characters after `from` that had to be written again. */
  readonly rewritten: number
  /** Characters that had to be removed to fit the context limit; 0 in all other epochs. */
  readonly free: number
}

/**
 * A request, with what the schedule needs after a restart. When the response's usage changes what is known of the cache,
 * the entry is added again; the last one counts.
 */
export interface RequestEntry {
  readonly kind: 'request'
  readonly turn: number
  /** The number of messages and the handle of the last item identify the request. */
  readonly messages: number
  readonly newest: string
  /** Milliseconds since 1970. */
  readonly at: number | null
  readonly model: string | null
  /** How much less the session has cost than without Palimpsest, for each possible price regime; see `bank.ts`. */
  readonly balances: readonly number[]
  /** What was last sent to each model. */
  readonly caches: readonly ModelCache[]
  /** What the agent's restores have cost; left out while there was none. */
  readonly restored?: RestoreCosts
}

/** How many requests had restores, the characters that these added, and their cost under each price regime. */
export interface RestoreCosts {
  readonly requests: number
  readonly characters: number
  readonly costs: readonly number[]
}

/** What was last sent to a model, and how much of it is still shown the same way. Positions count items of the history. */
export interface ModelCache {
  readonly model: string | null
  /** Milliseconds since 1970. */
  readonly at: number | null
  /** How many items were sent. */
  readonly sent: number
  /** How many leading items are still shown as they were sent. */
  readonly unchanged: number
  /** Whose cache it is; see `RequestMoment`. */
  readonly account?: string
  /** Where the newest requests ended, and when: providers with breakpoints keep entries at these places only. */
  readonly ends?: readonly SentEnd[]
  /** The last request was sent unmodified, so items after `unchanged` were never sent the way they are shown. */
  readonly isOriginal?: boolean
  /** The cache lifetime, as far as usage has shown it. */
  readonly observed?: ObservedLifetime
}

export interface SentEnd {
  readonly place: number
  readonly at: number | null
}

/** How long a provider keeps this client's cache, derived from usage. */
export type ObservedLifetime =
  /** The provider says which of its two lifetimes it used. */
  | { readonly kind: 'short' }
  | { readonly kind: 'long' }
  /** An automatic cache that still held content sent this long before. */
  | { readonly kind: 'at-least'; readonly ms: number }
