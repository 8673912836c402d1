import type { ModelCache } from './provider-caches.ts'

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

/** When a request is made, and for which model. */
export interface RequestMoment {
  /** Milliseconds since 1970; null counts as directly after the request before. */
  readonly at: number | null
  readonly model: string | null
  /** The provider clears old results by itself, so that no epoch opens on a warm cache because it pays. */
  readonly isDelegated?: boolean
  /** It went out before and is only gone through again: no epoch opens, and nothing is booked. */
  readonly isRepeated?: boolean
  /** What brings originals back where the agent runs, a tool or a command; without it, that of the engine's options. */
  readonly restore?: string | null | undefined
}
