import { estimateTokens } from '../record/tokens.ts'
import type { Decision } from '../words/decision.ts'
import type {
  EpochEntry,
  Ledger,
  LedgerEntry,
  LimitEntry,
  RequestEntry,
  RestoreEntry,
} from '../words/ledger.ts'

/** A new ledger, or one restored from its stored entries. */
export function createLedger(entries: readonly LedgerEntry[] = []): Ledger {
  return new SessionLedger(entries)
}

class SessionLedger implements Ledger {
  readonly entries: LedgerEntry[] = []
  readonly #current = new Map<number, Decision>()
  /** Estimated tokens of what current decisions show. Counted when they are asked for. */
  readonly #tokens = new Map<number, number>()
  readonly #reverted = new Set<number>()
  /** For each item, the items that it replaced. */
  readonly #replaced = new Map<number, Set<number>>()

  constructor(entries: readonly LedgerEntry[]) {
    for (const entry of entries) {
      if (entry.kind === 'revert') {
        if (entry.again === true) this.reopen(entry.item, entry.handle, entry.turn)
        else this.keep(entry.item, entry.handle, entry.turn)
      } else if (entry.kind === 'decision') {
        const { kind: _, ...decision } = entry
        this.add(decision)
      } else this.entries.push(entry)
    }
  }

  of(item: number): Decision | undefined {
    return this.#current.get(item)
  }

  shownTokens(item: number): number | undefined {
    const decision = this.#current.get(item)
    if (decision === undefined) return undefined
    const known = this.#tokens.get(item)
    if (known !== undefined) return known
    const tokens = estimateTokens(decision.rendition.text ?? '')
    this.#tokens.set(item, tokens)
    return tokens
  }

  decided(): readonly number[] {
    return inOrder(this.#current.keys())
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
    this.#current.set(item, decision)
    if (by !== null) this.#replaced.set(by, (this.#replaced.get(by) ?? new Set()).add(item))
  }

  keep(item: number, handle: string, turn: number): void {
    this.#forget(item)
    this.#reverted.add(item)
    this.entries.push({ kind: 'revert', item, handle, turn })
  }

  reopen(item: number, handle: string, turn: number): void {
    this.#forget(item)
    this.entries.push({ kind: 'revert', item, handle, turn, again: true })
  }

  revert(item: number, turn: number): boolean {
    const decision = this.#current.get(item)
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
    const by = this.#current.get(item)?.by ?? null
    this.#current.delete(item)
    this.#tokens.delete(item)
    if (by !== null) this.#replaced.get(by)?.delete(item)
  }
}

function inOrder(items: Iterable<number>): readonly number[] {
  return [...items].sort((a, b) => a - b)
}
