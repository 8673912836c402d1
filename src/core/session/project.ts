import { noteOf, ownText, withNote } from '../render/input-note.ts'
import type { Decision } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import { LedgerCursor } from '../words/ledger.ts'
import { partitionPoint } from '../words/partition-point.ts'
import type { Place } from './items.ts'
import type { HistoryState } from './state.ts'

/** A change of one item in a request. */
export interface ProjectedChange {
  /** Position of the message in the request, and of the item in the message. */
  readonly message: number
  readonly item: number
  /** null removes the item. */
  readonly text: string | null
  /** The decision about the item; for a result that only gets a note about its call, the decision about the call. */
  readonly decision: Decision
  /** The position of the replacing item, when it is in the request. */
  readonly by: Place | null
}

type ProjectedHistory = Pick<HistoryState, 'ledger' | 'placeOf' | 'operationAt'>

/**
 * The changes to the requests of a history. It never throws, and the same ledger gives the same changes. Apart from copying
 * the list, the work of a call grows with the new decisions only.
 */
export class Projection {
  readonly #history: ProjectedHistory
  readonly #cursor = new LedgerCursor()
  /** Items with a change, in the order of the history, and their changes. */
  readonly #items: number[] = []
  readonly #changes: ProjectedChange[] = []
  #decisionsVisited = 0

  constructor(history: ProjectedHistory) {
    this.#history = history
  }

  /** How many decisions were visited. */
  get decisionsVisited(): number {
    return this.#decisionsVisited
  }

  /** The changes of the next request, in its order. */
  changes(): readonly ProjectedChange[] {
    for (const entry of this.#cursor.take(this.#history.ledger)) {
      if (entry.kind === 'revert' || entry.kind === 'decision') this.#show(entry.item)
    }
    return this.#changes.slice()
  }

  /** Updates the change of an item, and for a call also that of its result, which may end with a note about the call. */
  #show(item: number): void {
    this.#decisionsVisited++
    const operation = this.#history.operationAt(item)
    const { call, result = null } = operation ?? {}
    if (call === undefined || result === null) this.#put(item, this.#changeOf(item))
    else {
      if (call.index === item) this.#put(item, this.#changeOf(item))
      this.#put(result.index, this.#changeOfResult(call, result))
    }
  }

  #put(item: number, change: ProjectedChange | null): void {
    const at = this.#positionOf(item)
    const known = this.#items[at] === item ? 1 : 0
    this.#items.splice(at, known, ...(change === null ? [] : [item]))
    this.#changes.splice(at, known, ...(change === null ? [] : [change]))
  }

  #positionOf(item: number): number {
    return partitionPoint(this.#items.length, (at) => (this.#items[at] as number) < item)
  }

  #changeOf(item: number): ProjectedChange | null {
    const decision = this.#history.ledger.of(item)
    return decision === undefined ? null : this.#placed(item, ownText(decision.rendition), decision)
  }

  /** A result ends with a note about what was left out of its call. */
  #changeOfResult(call: Item, result: Item): ProjectedChange | null {
    const { ledger } = this.#history
    const ofCall = ledger.of(call.index)
    const note = ofCall === undefined || result.opaque ? null : noteOf(ofCall.rendition)
    if (ofCall === undefined || note === null) return this.#changeOf(result.index)
    const own = ledger.of(result.index)
    const text = withNote(own?.rendition.text ?? result.text, note)
    return this.#placed(result.index, text, own ?? ofCall)
  }

  #placed(index: number, text: string | null, decision: Decision): ProjectedChange | null {
    const place = this.#history.placeOf(index)
    if (place === undefined) return null
    const by = decision.by === null ? null : (this.#history.placeOf(decision.by) ?? null)
    return { message: place.message, item: place.item, text, decision, by }
  }
}
