import type { Regime } from './regimes.ts'

/** How many characters of a request the provider reads from its cache, and how many it writes. */
export interface Load {
  readonly read: number
  readonly written: number
}

/** In multiples of the base input price of one character. */
export function priceOf(regime: Regime, { read, written }: Load): number {
  return regime.read * read + regime.write * written
}

/**
 * What a session has saved so far under each regime. Changes of cached bytes are paid from these savings, so that no
 * session costs more than without Palimpsest.
 */
export interface Bank {
  readonly balances: readonly number[]
  book(saved: readonly number[]): void
  /** Reverts the last booking. */
  undo(): void
}

export function createBank(balances: readonly number[] = []): Bank {
  const kept = [...balances]
  let before: readonly number[] | null = null
  return {
    balances: kept,
    book(saved) {
      before = [...kept]
      for (const [index, each] of saved.entries()) kept[index] = (kept[index] ?? 0) + each
    },
    undo() {
      if (before !== null) kept.splice(0, kept.length, ...before)
      before = null
    },
  }
}
