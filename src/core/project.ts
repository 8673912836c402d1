import type { Decision } from './decision.ts'
import type { HistoryState, Place } from './history-state.ts'

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

/** What differs from the request as it came, in its order. Total, and the same for the same ledger. */
export function project(history: HistoryState): readonly ProjectedChange[] {
  const changes: ProjectedChange[] = []
  for (const index of history.ledger.decided()) {
    const decision = history.ledger.of(index)
    const place = history.places.get(index)
    if (decision === undefined || place === undefined || !history.isApplied(decision)) continue
    const by = decision.by === null ? null : (history.places.get(decision.by) ?? null)
    changes.push({ ...place, text: decision.rendition.text, decision, by })
  }
  return changes.sort((a, b) => a.message - b.message || a.item - b.item)
}
