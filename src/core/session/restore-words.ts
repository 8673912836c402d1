import type { Ledger, LedgerEntry, RestoreEntry } from '../words/ledger.ts'

export function restoresIn(entries: readonly LedgerEntry[]): readonly RestoreEntry[] {
  return entries.filter((entry) => entry.kind === 'restore')
}

/**
 * What renditions name at each request of a history. It is written to the ledger when it changes: what was written with
 * other words before is written with them again, so that bytes that were sent stay as they are.
 */
export class RestoreWords {
  readonly #ledger: Ledger
  readonly #planned: readonly RestoreEntry[]
  readonly #lastTurn: number
  readonly #usual: string | null
  #live: string | null
  #written: string | null

  /** `lastTurn` is the last request of the history that this one was made of. */
  constructor(
    ledger: Ledger,
    inherited: readonly RestoreEntry[],
    { usual, lastTurn }: { readonly usual: string | null; readonly lastTurn: number },
  ) {
    this.#ledger = ledger
    this.#planned = inherited
    this.#lastTurn = lastTurn
    this.#usual = usual
    this.#live = usual
    this.#written = usual
  }

  /** The messages that come next are those of a request of an agent that has this. */
  expect(by: string | null | undefined): void {
    this.#live = by === undefined ? this.#usual : by
  }

  at(turn: number): string | null {
    const planned = this.#planned.findLast((entry) => entry.turn <= turn)
    const by = turn > this.#lastTurn ? this.#live : planned === undefined ? this.#usual : planned.by
    if (this.#written !== by) this.#ledger.restore({ kind: 'restore', turn, by })
    this.#written = by
    return by
  }
}
