import type { Regime } from './regimes.ts'

/** How much of a request the provider reads from its cache, and how much it takes in anew, in characters. */
export interface Load {
  readonly read: number
  readonly written: number
}

/** In multiples of the base input price of one character. */
export function priceOf(regime: Regime, { read, written }: Load): number {
  return regime.read * read + regime.write * written
}

/**
 * How much less a session has cost than without us, under each regime that may hold. Changing cached bytes is paid from
 * here, so that the bill is never higher than without us.
 */
export interface Bank {
  readonly balances: readonly number[]
  book(saved: readonly number[]): void
  /** Takes the last booking back. */
  takeBack(): void
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
    takeBack() {
      if (before !== null) kept.splice(0, kept.length, ...before)
      before = null
    },
  }
}
