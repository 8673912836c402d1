import { PalimpsestError } from '../core/words/errors.ts'

/** Keeps requests away from a store that has just failed, because each attempt could delay every stream. */
export interface StoreBreaker {
  /** Why the store is not to be used now; null when it may be. */
  openReason(): string | null
  trip(fault: unknown): void
  /** The store works. */
  reset(): void
}

/** After the first failure; each one that follows doubles it. */
const firstPauseMs = 500
const longestPauseMs = 10_000

export function createStoreBreaker(now: () => number): StoreBreaker {
  let pause: { readonly until: number; readonly reason: string } | null = null
  let pauseMs = firstPauseMs
  return {
    openReason: () => (pause !== null && now() < pause.until ? pause.reason : null),
    trip(fault) {
      const reason = faultReason(fault)
      // A lock is only noticed after seconds of waiting.
      const ms = reason === 'store-locked' ? longestPauseMs : pauseMs
      pause = { until: now() + ms, reason }
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs)
    },
    reset() {
      pause = null
      pauseMs = firstPauseMs
    },
  }
}

/** The code of a fault, for receipts. */
export function faultReason(fault: unknown): string {
  return PalimpsestError.is(fault) ? fault.code : 'internal error'
}
