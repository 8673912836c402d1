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
  /** What had been decided about the item before; null when nothing had. */
  readonly earlier: DecidedItem | null
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
  /** What was restored since the last call, with the turn of the restore. */
  takeRestored(): readonly { readonly decided: DecidedItem; readonly turn: number }[]
}

export function createDecidedItems(): DecidedItems {
  const decided = new Map<string, DecidedItem>()
  const waiting = new Set<string>()
  const cursor = new LedgerCursor()
  let ledger: Ledger | null = null
  let pendingRead = 0
  let restored: { readonly decided: DecidedItem; readonly turn: number }[] = []

  /** Does nothing when the same had been decided before. */
  function decide(item: Item, decision: Decision, fresh: Set<string>): void {
    const key = keyOf(item)
    const known = decided.get(key) ?? null
    if (isSame(known?.decision, decision)) return
    const reported = known !== null && fresh.has(key) ? known.earlier : known
    const earlier = reported === null ? null : { ...reported, earlier: null }
    decided.set(key, { item, decision, isApplied: false, earlier })
    waiting.add(key)
    fresh.add(key)
  }

  return {
    observe(engine, { changes }) {
      if (ledger !== engine.ledger) pendingRead = 0
      ledger = engine.ledger
      const fresh = new Set<string>()
      for (; pendingRead < engine.pending.length; pendingRead++) {
        const { proposal, turn } = engine.pending[pendingRead] as PendingProposal
        const isKnown = ledger.of(proposal.item.index) !== undefined
        if (!isKnown) decide(proposal.item, decisionOf(proposal, turn), fresh)
      }
      for (const entry of cursor.take(ledger)) {
        if (entry.kind !== 'decision' && entry.kind !== 'revert') continue
        const item = engine.record.items[entry.item]
        if (item === undefined) continue
        const key = keyOf(item)
        if (entry.kind === 'revert') {
          const known = decided.get(key)
          const reported = known !== undefined && fresh.delete(key) ? known.earlier : known
          if (reported != null) restored.push({ decided: reported, turn: entry.turn })
          decided.delete(key)
          waiting.delete(key)
          continue
        }
        const decision = ledger.of(entry.item)
        // Only the last decision about an item counts, and only when it differs from the earlier one.
        if (decision?.rendition !== entry.rendition) continue
        decide(item, decision, fresh)
      }
      if (waiting.size > 0) {
        for (const { decision } of changes) apply(engine.record.items[decision.item], decision)
      }
      return [...fresh].flatMap((key) => decided.get(key) ?? [])
    },
    all: () => [...decided.values()],
    takeRestored() {
      const taken = restored
      restored = []
      return taken
    },
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
