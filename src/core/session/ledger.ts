import type { Decision } from '../words/decision.ts'
import type {
  EpochEntry,
  Ledger,
  LedgerEntry,
  LimitEntry,
  RequestEntry,
  RestoreEntry,
} from '../words/ledger.ts'

/** A ledger, empty or as it was stored; a ledger that was read back decides the same. */
export function createLedger(entries: readonly LedgerEntry[] = []): Ledger {
  return new SessionLedger(entries)
}

class SessionLedger implements Ledger {
  readonly entries: LedgerEntry[] = []
  readonly #holding = new Map<number, Decision>()
  readonly #reverted = new Set<number>()
  /** By item, what it replaced. */
  readonly #replaced = new Map<number, Set<number>>()

  constructor(entries: readonly LedgerEntry[]) {
    for (const entry of entries) {
      if (entry.kind === 'revert') this.keep(entry.item, entry.handle, entry.turn)
      else if (entry.kind === 'decision') {
        const { kind: _, ...decision } = entry
        this.add(decision)
      } else this.entries.push(entry)
    }
  }

  of(item: number): Decision | undefined {
    return this.#holding.get(item)
  }

  decided(): readonly number[] {
    return inOrder(this.#holding.keys())
  }

  isReverted(item: number): boolean {
    return this.#reverted.has(item)
  }

  replacedBy(item: number): readonly number[] {
    return inOrder(this.#replaced.get(item) ?? [])
  }

  add(decision: Decision): void {
    this.#forget(decision.item)
    const { item, handle, rendition, reason, strategy, by, turn } = decision
    this.entries.push({ kind: 'decision', item, handle, rendition, reason, strategy, by, turn })
    this.#holding.set(item, decision)
    if (by !== null) this.#replaced.set(by, (this.#replaced.get(by) ?? new Set()).add(item))
  }

  keep(item: number, handle: string, turn: number): void {
    this.#forget(item)
    this.#reverted.add(item)
    this.entries.push({ kind: 'revert', item, handle, turn })
  }

  revert(item: number, turn: number): boolean {
    const decision = this.#holding.get(item)
    if (decision === undefined) return false
    this.keep(item, decision.handle, turn)
    return true
  }

  open(epoch: EpochEntry): void {
    this.entries.push(epoch)
  }

  limit(limit: LimitEntry): void {
    this.entries.push(limit)
  }

  restore(entry: RestoreEntry): void {
    this.entries.push(entry)
  }

  sent(request: RequestEntry): void {
    this.entries.push(request)
  }

  #forget(item: number): void {
    const by = this.#holding.get(item)?.by ?? null
    this.#holding.delete(item)
    if (by !== null) this.#replaced.get(by)?.delete(item)
  }
}

/** In the order of the record. */
function inOrder(items: Iterable<number>): readonly number[] {
  return [...items].sort((a, b) => a - b)
}
