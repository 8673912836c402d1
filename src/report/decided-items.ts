import type { Engine, EngineRequest } from '../core/engine.ts'
import { estimateTokens } from '../core/record/tokens.ts'
import type { PendingProposal } from '../core/schedule/pending.ts'
import { type Decision, decisionOf } from '../core/words/decision.ts'
import type { Item } from '../core/words/item.ts'
import { type Ledger, LedgerCursor } from '../core/words/ledger.ts'

/** An item with the last decision about it. */
export interface DecidedItem {
  readonly item: Item
  readonly decision: Decision
  /** True once a request was sent with it. */
  readonly isApplied: boolean
}

/**
 * Everything that was decided in a session, each item once. An agent that compacts or edits its history makes the engine
 * decide again about what is still there; here that is the same item, and what has left the history stays counted.
 */
export interface DecidedItems {
  /** To be called after every request. Returns what is new since the last call, in the order of the decisions. */
  observe(
    engine: Pick<Engine, 'ledger' | 'pending' | 'record'>,
    request: Pick<EngineRequest, 'changes'>,
  ): readonly DecidedItem[]
  all(): readonly DecidedItem[]
}

export function createDecidedItems(): DecidedItems {
  const decided = new Map<string, DecidedItem>()
  const waiting = new Set<string>()
  const cursor = new LedgerCursor()
  let ledger: Ledger | null = null
  let pendingRead = 0

  /** False when the same had been decided before. */
  function decide(item: Item, decision: Decision): boolean {
    const key = keyOf(item)
    if (isSame(decided.get(key)?.decision, decision)) return false
    decided.set(key, { item, decision, isApplied: false })
    waiting.add(key)
    return true
  }

  return {
    observe(engine, { changes }) {
      if (ledger !== engine.ledger) pendingRead = 0
      ledger = engine.ledger
      const found: string[] = []
      for (; pendingRead < engine.pending.length; pendingRead++) {
        const { proposal, turn } = engine.pending[pendingRead] as PendingProposal
        const isKnown = ledger.of(proposal.item.index) !== undefined
        if (!isKnown && decide(proposal.item, decisionOf(proposal, turn)))
          found.push(keyOf(proposal.item))
      }
      for (const entry of cursor.take(ledger)) {
        if (entry.kind !== 'decision' && entry.kind !== 'revert') continue
        const item = engine.record.items[entry.item]
        if (item === undefined) continue
        const key = keyOf(item)
        if (entry.kind === 'revert') {
          decided.delete(key)
          waiting.delete(key)
          continue
        }
        const decision = ledger.of(entry.item)
        // Only the last decision about an item counts, and only when it differs from the earlier one.
        if (decision?.rendition !== entry.rendition) continue
        if (decide(item, decision)) found.push(key)
      }
      if (waiting.size > 0) {
        for (const { decision } of changes) apply(engine.record.items[decision.item], decision)
      }
      return found.flatMap((key) => decided.get(key) ?? [])
    },
    all: () => [...decided.values()],
  }

  function apply(item: Item | undefined, shown: Decision): void {
    const key = item === undefined ? '' : keyOf(item)
    const known = decided.get(key)
    if (known === undefined || !waiting.has(key) || !isSame(known.decision, shown)) return
    decided.set(key, { ...known, isApplied: true })
    waiting.delete(key)
  }
}

/** How many tokens a decision saves in a request. Negative for a view that includes lines of other items. */
export function savedTokens({ item, decision }: DecidedItem): number {
  return item.tokens - estimateTokens(decision.rendition.text ?? '')
}

/** Calls and results have ids of their own; a handle changes with the message around its item. */
function keyOf(item: Item): string {
  return item.kind === 'call' || item.kind === 'result' ? `${item.kind} ${item.call}` : item.handle
}

/** The texts may differ in their turns, which are counted anew in a compacted history. */
function isSame(a: Decision | undefined, b: Decision): boolean {
  return a?.rendition.how === b.rendition.how && a.reason === b.reason && a.strategy === b.strategy
}
