import type { Ledger, LedgerEntry, LimitEntry } from '../words/ledger.ts'

export function limitsIn(entries: readonly LedgerEntry[]): readonly LimitEntry[] {
  return entries.filter((entry) => entry.kind === 'limit')
}

/**
 * The limit of the context at each request of a history: that of the model which the request is for, and between requests
 * that were made the last one. It is written to the ledger, so that what was decided by it is decided the same again.
 */
export class ContextLimits {
  readonly #ledger: Ledger
  readonly #planned: ReadonlyMap<number, LimitEntry>
  #tokens: number | null | undefined
  #written: number | null | undefined

  constructor(ledger: Ledger, inherited: readonly LimitEntry[]) {
    this.#ledger = ledger
    this.#planned = new Map(inherited.map((entry) => [entry.turn, entry]))
    this.#tokens = inherited[0]?.tokens
  }

  /** Messages come with a request for a model of this limit. Before it nobody asked, so that it holds for all of them. */
  expect(tokens: number | null): void {
    if (this.#tokens === undefined) this.#tokens = tokens
  }

  /** A request is gone through again, or (with the limit of its model) made. */
  pass(turn: number, tokens: number | null | undefined): void {
    const planned = this.#planned.get(turn)
    if (planned !== undefined) this.#tokens = planned.tokens
    if (tokens !== undefined) this.#tokens = tokens
  }

  at(turn: number): number | null {
    const tokens = this.#tokens ?? null
    this.#tokens = tokens
    if (this.#written !== tokens) this.#ledger.limit({ kind: 'limit', turn, tokens })
    this.#written = tokens
    return tokens
  }
}
