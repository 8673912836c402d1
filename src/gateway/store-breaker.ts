import { PalimpsestError } from '../core/words/errors.ts'

/** Keeps requests away from a store that has just failed: each new attempt could hold up every stream. */
export interface StoreBreaker {
  /** Why the store is not to be used now; null when it may be. */
  openReason(): string | null
  trip(fault: unknown): void
}

const restMs = 10_000

export function createStoreBreaker(now: () => number): StoreBreaker {
  let rest: { readonly until: number; readonly reason: string } | null = null
  return {
    openReason: () => (rest !== null && now() < rest.until ? rest.reason : null),
    trip(fault) {
      rest = { until: now() + restMs, reason: faultReason(fault) }
    },
  }
}

/** The code of a fault, for receipts. */
export function faultReason(fault: unknown): string {
  return PalimpsestError.is(fault) ? fault.code : 'internal error'
}
