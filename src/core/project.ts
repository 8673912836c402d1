import type { Decision } from './decision.ts'
import type { Place } from './history-items.ts'
import type { HistoryState } from './history-state.ts'

/** One item of a request, shown as decided. */
export interface ProjectedChange {
  /** Position of the message in the request, and of the item in the message. */
  readonly message: number
  readonly item: number
  /** null leaves the item out. */
  readonly text: string | null
  readonly decision: Decision
  /** Where the item that replaced it stands, when it is in the request. */
  readonly by: Place | null
}

/**
 * What differs from the requests of a history as they came. Total, and the same for the same ledger, however often it was
 * asked before; the work grows with the decisions that are new since then, copying the list aside.
 */
export interface Projection {
  /** The changes of the next request, in its order. */
  changes(): readonly ProjectedChange[]
  /** How many decisions have been looked at. */
  readonly decisionsVisited: number
}

export function createProjection(history: Pick<HistoryState, 'ledger' | 'placeOf'>): Projection {
  const { ledger } = history
  // By item: along one history, items stand in the order in which they were recorded.
  const changes: ProjectedChange[] = []
  let entriesRead = 0

  function positionOf(item: number): number {
    let low = 0
    let high = changes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((changes[middle]?.decision.item ?? item) < item) low = middle + 1
      else high = middle
    }
    return low
  }

  function remove(item: number): void {
    const at = positionOf(item)
    if (changes[at]?.decision.item === item) changes.splice(at, 1)
  }

  function show(decision: Decision): void {
    projection.decisionsVisited++
    const place = history.placeOf(decision.item)
    if (place === undefined) return
    const by = decision.by === null ? null : (history.placeOf(decision.by) ?? null)
    const { message, item } = place
    const change = { message, item, text: decision.rendition.text, decision, by }
    const at = positionOf(decision.item)
    const isKnown = changes[at]?.decision.item === decision.item
    changes.splice(at, isKnown ? 1 : 0, change)
  }

  // A count and no getter: V8 keeps the getters of a literal, with all that they see, until a full collection.
  const projection: Projection & { decisionsVisited: number } = {
    decisionsVisited: 0,
    changes() {
      for (; entriesRead < ledger.entries.length; entriesRead++) {
        const entry = ledger.entries[entriesRead]
        if (entry === undefined) continue
        if (entry.kind === 'revert') remove(entry.item)
        else if (entry.kind === 'decision') {
          // What was decided otherwise since is shown as it holds now.
          const holding = ledger.of(entry.item)
          if (holding !== undefined) show(holding)
        }
      }
      return changes.slice()
    },
  }
  return projection
}
