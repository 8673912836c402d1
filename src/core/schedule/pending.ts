import type { Proposal } from '../decision.ts'
import type { Page } from './page.ts'

/** Proposals about items that were sent already; they wait until bytes that were sent may change. */
export interface Pending {
  readonly size: number
  /** Everything that has ever waited, in order. */
  readonly added: readonly PendingProposal[]
  /** Adds a proposal, after earlier ones about the same item. */
  add(proposal: Proposal, turn: number): void
  /** Takes everything from a place of the history on, in the order of the history. */
  takeFrom(place: number): readonly Proposal[]
  /** Nothing is to happen to the item any more. */
  drop(item: number): void
  /** The items that wait, the newest first, each with how many characters it would give up. */
  newestFirst(): Iterable<PendingItem>
}

/** What a strategy wants, and the request for which it wanted it first. */
export interface PendingProposal {
  readonly proposal: Proposal
  readonly turn: number
}

export interface PendingItem {
  readonly place: number
  readonly gain: number
  /** How probable it is that the item will be fetched back. */
  readonly need: number
}

export function createPending(page: Page): Pending {
  const proposals = new Map<number, readonly Proposal[]>()
  /** Places of the items that wait, in order. */
  const places: number[] = []
  const itemAt = new Map<number, number>()
  const added: PendingProposal[] = []

  function positionOf(place: number): number {
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((places[middle] as number) < place) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    get size(): number {
      return places.length
    },
    added,
    add(proposal, turn) {
      const item = proposal.item.index
      const place = page.placeOf(item)
      if (place === undefined) return
      const earlier = proposals.get(item) ?? []
      if (earlier.some((each) => isSame(each, proposal))) return
      proposals.set(item, [...earlier, proposal])
      added.push({ proposal, turn })
      if (earlier.length > 0) return
      places.splice(positionOf(place), 0, place)
      itemAt.set(place, item)
    },
    takeFrom(place) {
      return places.splice(positionOf(place)).flatMap((each) => {
        const item = itemAt.get(each) as number
        const taken = proposals.get(item) ?? []
        proposals.delete(item)
        itemAt.delete(each)
        return taken
      })
    },
    drop(item) {
      const place = page.placeOf(item)
      if (place === undefined || !proposals.delete(item)) return
      itemAt.delete(place)
      places.splice(positionOf(place), 1)
    },
    *newestFirst() {
      for (let at = places.length - 1; at >= 0; at--) {
        const place = places[at] as number
        const waiting = proposals.get(itemAt.get(place) as number) ?? []
        const sizes = waiting.map(({ rendition }) => rendition.text?.length ?? 0)
        const gain = Math.max(0, page.shownSize(place) - Math.min(...sizes))
        yield { place, gain, need: Math.max(...waiting.map(({ need = 0 }) => need)) }
      }
    },
  }
}

function isSame(a: Proposal, b: Proposal): boolean {
  return a.rendition.how === b.rendition.how && a.rendition.text === b.rendition.text
}
