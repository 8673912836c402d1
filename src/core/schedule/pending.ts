import type { Page } from '../record/page.ts'
import type { Proposal } from '../words/decision.ts'
import { partitionPoint } from '../words/partition-point.ts'

/** Proposals about items that were sent already; they wait until bytes that were sent may change. */
export interface Pending {
  readonly size: number
  /** Everything that has ever waited, in order. */
  readonly added: readonly PendingProposal[]
  /** True when something is to happen to the item. */
  has(item: number): boolean
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

/** An item that waits, with all that is proposed for it. */
interface Waiting {
  readonly item: number
  readonly place: number
  readonly proposals: Proposal[]
  /** Characters of the shortest of them. */
  size: number
  need: number
}

export function createPending(page: Page): Pending {
  const byItem = new Map<number, Waiting>()
  /** In the order of the history. */
  const waiting: Waiting[] = []
  const added: PendingProposal[] = []

  function positionOf(place: number): number {
    return partitionPoint(waiting.length, (index) => waiting[index]!.place < place)
  }

  const pending: Pending & { size: number } = {
    size: 0,
    added,
    has: (item) => byItem.has(item),
    add(proposal, turn) {
      const item = proposal.item.index
      const size = proposal.rendition.text?.length ?? 0
      const need = proposal.need ?? 0
      const known = byItem.get(item)
      if (known !== undefined) {
        for (const earlier of known.proposals) if (isSame(earlier, proposal)) return
        known.proposals.push(proposal)
        known.size = Math.min(known.size, size)
        known.need = Math.max(known.need, need)
      } else {
        const place = page.placeOf(item)
        if (place === undefined) return
        const first = { item, place, proposals: [proposal], size, need }
        byItem.set(item, first)
        // Mostly it stands behind all that waits.
        if ((waiting.at(-1)?.place ?? -1) < place) waiting.push(first)
        else waiting.splice(positionOf(place), 0, first)
        pending.size = waiting.length
      }
      added.push({ proposal, turn })
    },
    takeFrom(place) {
      const taken: Proposal[] = []
      for (const { item, proposals } of waiting.splice(positionOf(place))) {
        byItem.delete(item)
        for (const proposal of proposals) taken.push(proposal)
      }
      pending.size = waiting.length
      return taken
    },
    drop(item) {
      const known = byItem.get(item)
      if (known === undefined) return
      byItem.delete(item)
      waiting.splice(positionOf(known.place), 1)
      pending.size = waiting.length
    },
    *newestFirst() {
      for (let at = waiting.length - 1; at >= 0; at--) {
        const { place, size, need } = waiting[at] as Waiting
        yield { place, gain: Math.max(0, page.shownSize(place) - size), need }
      }
    },
  }
  return pending
}

function isSame(a: Proposal, b: Proposal): boolean {
  return a.rendition.how === b.rendition.how && a.rendition.text === b.rendition.text
}
