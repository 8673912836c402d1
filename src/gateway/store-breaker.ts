import { PalimpsestError } from '../core/words/errors.ts'

/** Keeps requests away from a store that has just failed, because each attempt could delay every stream. */
export interface StoreBreaker {
  /** Why the store is not to be used now; null when it may be. */
  openReason(): string | null
  trip(fault: unknown): void
}

const pauseMs = 10_000

export function createStoreBreaker(now: () => number): StoreBreaker {
  let pause: { readonly until: number; readonly reason: string } | null = null
  return {
    openReason: () => (pause !== null && now() < pause.until ? pause.reason : null),
    trip(fault) {
      pause = { until: now() + pauseMs, reason: faultReason(fault) }
    },
  }
}

/** The code of a fault, for receipts. */
export function faultReason(fault: unknown): string {
  return PalimpsestError.is(fault) ? fault.code : 'internal error'
}
