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
  /** Call it after every request. Returns what is new since the last call, in the order of the decisions. */
  observe(
    engine: Pick<Engine, 'ledger' | 'pending' | 'record'>,
    request: Pick<EngineRequest, 'changes'>,
  ): readonly DecidedItem[]
  all(): readonly DecidedItem[]
  /** What was restored since the last call, with the turn of the restore. */
  takeRestored(): readonly { readonly decided: DecidedItem; readonly turn: number }[]
}

export function createDecidedItems(): DecidedItems {
  const decisions = new LastDecisions()
  const cursor = new LedgerCursor()
  let ledger: Ledger | null = null
  let pendingRead = 0
  let restored: { readonly decided: DecidedItem; readonly turn: number }[] = []
  return {
    observe(engine, { changes }) {
      if (ledger !== engine.ledger) pendingRead = 0
      ledger = engine.ledger
      decisions.startRequest()
      for (; pendingRead < engine.pending.length; pendingRead++) {
        const { proposal, turn } = engine.pending[pendingRead] as PendingProposal
        const isKnown = ledger.of(proposal.item.index) !== undefined
        if (!isKnown) decisions.decide(proposal.item, decisionOf(proposal, turn))
      }
      for (const entry of cursor.take(ledger)) {
        if (entry.kind !== 'decision' && entry.kind !== 'revert') continue
        const item = engine.record.items[entry.item]
        if (item === undefined) continue
        if (entry.kind === 'revert') {
          const decided = decisions.revert(item)
          if (decided !== null) restored.push({ decided, turn: entry.turn })
          continue
        }
        const decision = ledger.of(entry.item)
        // Only the last decision about an item counts, and only when it differs from the earlier one.
        if (decision?.rendition !== entry.rendition) continue
        decisions.decide(item, decision)
      }
      decisions.apply(engine.record.items, changes)
      return decisions.fresh()
    },
    all: () => decisions.all(),
    takeRestored() {
      const taken = restored
      restored = []
      return taken
    },
  }
}

/** The last decision about each item. */
class LastDecisions {
  readonly #decided = new Map<string, DecidedItem>()
  /** Items whose decision no request was sent with. */
  readonly #waiting = new Set<string>()
  /** Items that this request has decided about. */
  readonly #fresh = new Set<string>()

  startRequest(): void {
    this.#fresh.clear()
  }

  /** Does nothing when the same was decided before. */
  decide(item: Item, decision: Decision): void {
    const key = keyOf(item)
    const known = this.#decided.get(key)
    if (isSame(known?.decision, decision)) return
    const reported = this.#reportedBefore(key)
    const earlier = reported === null ? null : { ...reported, earlier: null }
    this.#decided.set(key, { item, decision, isApplied: false, earlier })
    this.#waiting.add(key)
    this.#fresh.add(key)
  }

  /** Reverts a decision. Returns what had been reported about the item; null when nothing had. */
  revert(item: Item): DecidedItem | null {
    const key = keyOf(item)
    const reported = this.#reportedBefore(key)
    this.#fresh.delete(key)
    this.#decided.delete(key)
    this.#waiting.delete(key)
    return reported
  }

  /** Records which decisions a request was sent with. */
  apply(items: readonly Item[], changes: EngineRequest['changes']): void {
    if (this.#waiting.size === 0) return
    for (const { decision } of changes) {
      const item = items[decision.item]
      if (item === undefined) continue
      const key = keyOf(item)
      const known = this.#decided.get(key)
      if (known === undefined || !this.#waiting.has(key) || !isSame(known.decision, decision))
        continue
      this.#decided.set(key, { ...known, isApplied: true })
      this.#waiting.delete(key)
    }
  }

  fresh(): readonly DecidedItem[] {
    return [...this.#fresh].flatMap((key) => this.#decided.get(key) ?? [])
  }

  all(): readonly DecidedItem[] {
    return [...this.#decided.values()]
  }

  #reportedBefore(key: string): DecidedItem | null {
    const known = this.#decided.get(key) ?? null
    return known !== null && this.#fresh.has(key) ? known.earlier : known
  }
}

/** How many tokens a decision saves in a request. Negative for a view that includes lines of other items. */
export function savedTokens({ item, decision }: DecidedItem): number {
  const text = decision.rendition.text ?? ''
  const saved = item.tokens - estimateTokens(text)
  // Both are estimates, and a shorter text never costs more.
  return text.length <= item.text.length ? Math.max(0, saved) : saved
}

/** Calls and results have ids of their own; a handle changes with the message around its item. */
function keyOf(item: Item): string {
  return item.kind === 'call' || item.kind === 'result' ? `${item.kind} ${item.call}` : item.handle
}

/** The texts may differ in their turn numbers, because a compacted history counts turns from 1 again. */
function isSame(a: Decision | undefined, b: Decision): boolean {
  return a?.rendition.how === b.rendition.how && a.reason === b.reason && a.strategy === b.strategy
}
