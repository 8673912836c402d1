import { isFold, type RestoreLimits } from '../guard/restore-limits.ts'
import { restoredHandles } from '../words/context-tools.ts'
import { decisionKey, type How, type RenditionProposal } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import { type Ledger, LedgerCursor } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'
import type { Inheritance } from './inherit.ts'

/** How often a kind of rendition was used in a session, and how often its original was restored. Items count once. */
export interface RestoreTally {
  readonly how: How
  readonly strategy: string
  readonly shown: number
  readonly restored: number
}

/** A kind of rendition is not used again once more than this share of its items was restored. */
const mostRestored = 0.05
/** One restore says little about fewer renditions than this; two restores count in any case. */
const fewestShown = 10

interface Tally {
  readonly how: How
  readonly strategy: string
  readonly shown: Set<string>
  readonly restored: Set<string>
}

/**
 * Counts restores by the rendition that stood for the item when it was restored. The counts follow from the messages and
 * the decisions, so every process has the same ones.
 */
export class Restores implements RestoreLimits {
  canRestore = true
  /** What the session saved is used up; see `EpochSchedule.isSpent`. */
  hasSpentSavings = false
  /** How many requests had restores, and how many characters these added to the history. */
  readonly total = { requests: 0, characters: 0 }
  readonly #ledger: Ledger
  readonly #decided: Inheritance['decided']
  readonly #cursor = new LedgerCursor()
  readonly #tallies = new Map<string, Tally>()
  #countedTurn = 0
  #newest: { readonly turn: number; readonly hows: How[] } = { turn: 0, hows: [] }

  constructor(ledger: Ledger, { decided }: Pick<Inheritance, 'decided'>) {
    this.#ledger = ledger
    this.#decided = decided
  }

  get tallies(): readonly RestoreTally[] {
    this.#countShown()
    return [...this.#tallies.values()].map(({ how, strategy, shown, restored }) => ({
      how,
      strategy,
      shown: shown.size,
      restored: restored.size,
    }))
  }

  /** The renditions whose originals were restored between the request before this turn's and this turn's. */
  restoredAt(turn: number): readonly How[] {
    return this.#newest.turn === turn ? this.#newest.hows : []
  }

  observe(operation: Operation, turn: number, find: (handle: string) => Item | undefined): void {
    if (operation.status === 'error') return
    const isNewRequest = this.#countedTurn !== turn
    let isCounted = false
    for (const handle of restoredHandles(operation.call, operation.action)) {
      const item = find(handle)
      const decision = item && this.#ledger.of(item.index)
      if (decision === undefined) continue
      if (!isCounted) this.#countCost(operation, isNewRequest)
      isCounted = true
      this.#countedTurn = turn
      this.#countShown()
      const { how } = decision.rendition
      const { restored } = this.#tallyOf(how, decision.strategy)
      if (restored.has(handle)) continue
      restored.add(handle)
      if (this.#newest.turn !== turn) this.#newest = { turn, hows: [] }
      this.#newest.hows.push(how)
    }
  }

  isSpent(proposal: RenditionProposal): boolean {
    if (!this.hasSpentSavings) return false
    const { item, rendition } = proposal
    if (this.#decided.has(decisionKey(item.handle, rendition))) return false
    // What newer work replaces still leaves, because otherwise nothing would be saved again after one early restore.
    return isFold(proposal) || this.isOverused(proposal)
  }

  isOverused({ item, rendition, strategy }: RenditionProposal): boolean {
    // What was decided before a restart is decided again, because it was sent.
    if (this.#decided.has(decisionKey(item.handle, rendition))) return false
    const tally = this.#tallies.get(keyOf(rendition.how, strategy))
    if (tally === undefined || tally.restored.size === 0) return false
    this.#countShown()
    const { shown, restored } = tally
    if (restored.size < 2 && shown.size < fewestShown) return false
    return restored.size > mostRestored * shown.size
  }

  #countCost({ call, result }: Operation, isNewRequest: boolean): void {
    if (isNewRequest) this.total.requests++
    this.total.characters += call.text.length + (result?.text.length ?? 0)
  }

  #countShown(): void {
    for (const entry of this.#cursor.take(this.#ledger)) {
      if (entry.kind !== 'decision') continue
      this.#tallyOf(entry.rendition.how, entry.strategy).shown.add(entry.handle)
    }
  }

  #tallyOf(how: How, strategy: string): Tally {
    const key = keyOf(how, strategy)
    const known = this.#tallies.get(key)
    if (known !== undefined) return known
    const tally: Tally = { how, strategy, shown: new Set(), restored: new Set() }
    this.#tallies.set(key, tally)
    return tally
  }
}

function keyOf(how: How, strategy: string): string {
  return `${how} ${strategy}`
}
