import type { Ledger } from '../core/words/ledger.ts'

/** The item that replaced this one. A view of a file counts as not replaced. */
function successor(ledger: Ledger, item: number): number | null {
  const decision = ledger.of(item)
  return decision === undefined || decision.rendition.how === 'view' ? null : decision.by
}

/**
 * What replaced an item, and what replaced that, up to the newest, which still stands. Empty when nothing replaced it.
 * A ledger in which items replace each other in a circle gives each of them once.
 */
export function replacementOf(ledger: Ledger, item: number): readonly number[] {
  const chain: number[] = []
  const seen = new Set([item])
  let at = successor(ledger, item)
  while (at !== null && !seen.has(at)) {
    seen.add(at)
    chain.push(at)
    at = successor(ledger, at)
  }
  return chain
}

/** Everything that an item replaced, directly or indirectly, nearest first; each once. */
export function replacedBy(ledger: Ledger, item: number): readonly number[] {
  const chain: number[] = []
  const seen = new Set([item])
  let nearest: readonly number[] = [item]
  while (nearest.length > 0) {
    const next: number[] = []
    for (const each of nearest) {
      for (const older of ledger.replacedBy(each)) {
        if (seen.has(older) || successor(ledger, older) !== each) continue
        seen.add(older)
        next.push(older)
      }
    }
    chain.push(...next)
    nearest = next
  }
  return chain
}
