import { noteOf, ownText, withNote } from '../render/input-note.ts'
import type { Decision } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import { partitionPoint } from '../words/partition-point.ts'
import type { Place } from './items.ts'
import type { HistoryState } from './state.ts'

/** One item of a request, shown as decided. */
export interface ProjectedChange {
  /** Position of the message in the request, and of the item in the message. */
  readonly message: number
  readonly item: number
  /** null leaves the item out. */
  readonly text: string | null
  /** About the item, or about the call of a result that only says at its end what the call left out. */
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

type ProjectedHistory = Pick<HistoryState, 'ledger' | 'placeOf' | 'operationAt'>

export function createProjection(history: ProjectedHistory): Projection {
  const { ledger } = history
  // By item: along one history, items stand in the order in which they were recorded.
  const items: number[] = []
  const changes: ProjectedChange[] = []
  let entriesRead = 0

  function positionOf(item: number): number {
    return partitionPoint(items.length, (index) => items[index]! < item)
  }

  function put(item: number, change: ProjectedChange | null): void {
    const at = positionOf(item)
    const known = items[at] === item ? 1 : 0
    items.splice(at, known, ...(change === null ? [] : [item]))
    changes.splice(at, known, ...(change === null ? [] : [change]))
  }

  /** Shows an item as it is decided now, and with a call what is said of it in its result. */
  function show(item: number): void {
    projection.decisionsVisited++
    const operation = history.operationAt(item)
    const { call, result = null } = operation ?? {}
    if (call?.index === item && result !== null) put(result.index, changeOfResult(call, result))
    if (result?.index === item && call !== undefined) put(item, changeOfResult(call, result))
    else put(item, changeOf(item))
  }

  function changeOf(item: number): ProjectedChange | null {
    const decision = ledger.of(item)
    return decision === undefined ? null : placed(item, ownText(decision.rendition), decision)
  }

  function changeOfResult(call: Item, result: Item): ProjectedChange | null {
    const ofCall = ledger.of(call.index)
    const note = ofCall === undefined || result.opaque ? null : noteOf(ofCall.rendition)
    if (ofCall === undefined || note === null) return changeOf(result.index)
    const own = ledger.of(result.index)
    const text = withNote(own?.rendition.text ?? result.text, note)
    return placed(result.index, text, own ?? ofCall)
  }

  function placed(index: number, text: string | null, decision: Decision): ProjectedChange | null {
    const place = history.placeOf(index)
    if (place === undefined) return null
    const by = decision.by === null ? null : (history.placeOf(decision.by) ?? null)
    return { message: place.message, item: place.item, text, decision, by }
  }

  // A count and no getter: V8 keeps the getters of a literal, with all that they see, until a full collection.
  const projection: Projection & { decisionsVisited: number } = {
    decisionsVisited: 0,
    changes() {
      for (; entriesRead < ledger.entries.length; entriesRead++) {
        const entry = ledger.entries[entriesRead]
        // What was decided otherwise since is shown as it holds now.
        if (entry?.kind === 'revert' || entry?.kind === 'decision') show(entry.item)
      }
      return changes.slice()
    },
  }
  return projection
}
