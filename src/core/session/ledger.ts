import type { Decision } from '../words/decision.ts'
import type { Ledger, LedgerEntry } from '../words/ledger.ts'

/** A ledger, empty or as it was written out; a ledger that was read back decides the same. */
export function createLedger(entries: readonly LedgerEntry[] = []): Ledger {
  const log: LedgerEntry[] = []
  const holding = new Map<number, Decision>()
  const reverted = new Set<number>()
  /** By item, what it replaced. */
  const replaced = new Map<number, Set<number>>()

  function add(decision: Decision): void {
    forget(decision.item)
    const { item, handle, rendition, reason, strategy, by, turn } = decision
    log.push({ kind: 'decision', item, handle, rendition, reason, strategy, by, turn })
    holding.set(item, decision)
    if (by !== null) replaced.set(by, (replaced.get(by) ?? new Set()).add(item))
  }

  function forget(item: number): void {
    const by = holding.get(item)?.by ?? null
    holding.delete(item)
    if (by !== null) replaced.get(by)?.delete(item)
  }

  function keep(item: number, handle: string, turn: number): void {
    forget(item)
    reverted.add(item)
    log.push({ kind: 'revert', item, handle, turn })
  }

  function revert(item: number, turn: number): boolean {
    const decision = holding.get(item)
    if (decision === undefined) return false
    keep(item, decision.handle, turn)
    return true
  }

  for (const entry of entries) {
    if (entry.kind === 'revert') keep(entry.item, entry.handle, entry.turn)
    else if (entry.kind === 'decision') {
      const { kind: _, ...decision } = entry
      add(decision)
    } else log.push(entry)
  }

  return {
    entries: log,
    add,
    revert,
    keep,
    open: (epoch) => {
      log.push(epoch)
    },
    limit: (limit) => {
      log.push(limit)
    },
    restore: (entry) => {
      log.push(entry)
    },
    sent: (request) => {
      log.push(request)
    },
    of: (item) => holding.get(item),
    decided: () => inOrder(holding.keys()),
    isReverted: (item) => reverted.has(item),
    replacedBy: (item) => inOrder(replaced.get(item) ?? []),
  }
}

/** In the order of the record. */
function inOrder(items: Iterable<number>): readonly number[] {
  return [...items].sort((a, b) => a - b)
}
