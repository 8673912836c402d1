import { createDueTurns } from '../propose/due-turns.ts'
import type { ItemSizes } from '../record/item-sizes.ts'
import type { RenditionProposal } from '../words/decision.ts'
import { partitionPoint } from '../words/partition-point.ts'

/** A strategy's proposal, and the request at which it was first made. */
export interface PendingProposal {
  readonly proposal: RenditionProposal
  readonly turn: number
}

export interface PendingItem {
  readonly place: number
  /** How many characters shorter the item would be. */
  readonly gain: number
  /** The probability that the item will be restored. */
  readonly need: number
}

/** An item that waits for an epoch, with all proposals for it. */
interface WaitingItem {
  readonly item: number
  readonly place: number
  readonly proposals: RenditionProposal[]
  /** Characters of the shortest proposal. */
  size: number
  need: number
}

/** Proposals that cannot be decided yet: some wait until their item leaves the protected turns, others for an epoch. */
export class Pending {
  readonly #sizes: ItemSizes
  /** Every proposal that ever waited for an epoch, in order. */
  readonly added: PendingProposal[] = []
  /** Items that wait for an epoch, in the order of the history. */
  readonly #waiting: WaitingItem[] = []
  readonly #waitingByItem = new Map<number, WaitingItem>()
  /** Items by the request at which they leave the protected turns, and the proposals for each, in order. */
  readonly #due = createDueTurns<number>()
  readonly #protectedByItem = new Map<number, RenditionProposal[]>()

  constructor(sizes: ItemSizes) {
    this.#sizes = sizes
  }

  /** True when a proposal for the item is pending. */
  has(item: number): boolean {
    return this.#waitingByItem.has(item) || this.#protectedByItem.has(item)
  }

  /** Drops all proposals for the item. */
  drop(item: number): void {
    this.#protectedByItem.delete(item)
    const known = this.#waitingByItem.get(item)
    if (known === undefined) return
    this.#waitingByItem.delete(item)
    this.#waiting.splice(this.#positionOf(known.place), 1)
  }

  /** Keeps a proposal until the request at which its item leaves the protected turns. */
  untilTurn(turn: number, proposal: RenditionProposal): void {
    const { index } = proposal.item
    const earlier = this.#protectedByItem.get(index)
    if (earlier === undefined) {
      this.#protectedByItem.set(index, [proposal])
      this.#due.add(turn, index)
    } else if (!earlier.some((each) => isSame(each, proposal))) earlier.push(proposal)
  }

  /** The last proposal that waits for the item to leave the protected turns. */
  awaited(item: number): RenditionProposal | undefined {
    return this.#protectedByItem.get(item)?.at(-1)
  }

  /** Removes and returns the proposals that waited for this request, in order. */
  takeDue(turn: number): readonly RenditionProposal[] {
    return this.#due.take(turn).flatMap((item) => {
      const proposals = this.#protectedByItem.get(item) ?? []
      this.#protectedByItem.delete(item)
      return proposals
    })
  }

  /** Keeps a proposal until sent bytes may change. */
  untilEpoch(proposal: RenditionProposal, turn: number): void {
    const item = proposal.item.index
    const size = proposal.rendition.text?.length ?? 0
    const need = proposal.need ?? 0
    const known = this.#waitingByItem.get(item)
    if (known !== undefined) {
      if (known.proposals.some((earlier) => isSame(earlier, proposal))) return
      known.proposals.push(proposal)
      known.size = Math.min(known.size, size)
      known.need = Math.max(known.need, need)
    } else {
      const place = this.#sizes.placeOf(item)
      if (place === undefined) return
      const first = { item, place, proposals: [proposal], size, need }
      this.#waitingByItem.set(item, first)
      this.#waiting.splice(this.#positionOf(place), 0, first)
    }
    this.added.push({ proposal, turn })
  }

  /** Removes and returns what waits for an epoch from a place on, in the order of the history. */
  takeFrom(place: number): readonly RenditionProposal[] {
    return this.#waiting.splice(this.#positionOf(place)).flatMap(({ item, proposals }) => {
      this.#waitingByItem.delete(item)
      return proposals
    })
  }

  /** The items that wait for an epoch, the newest first. */
  *newestFirst(): Iterable<PendingItem> {
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const { place, size, need } = this.#waiting[at] as WaitingItem
      yield { place, gain: Math.max(0, this.#sizes.shownSize(place) - size), need }
    }
  }

  #positionOf(place: number): number {
    return partitionPoint(
      this.#waiting.length,
      (index) => (this.#waiting[index] as WaitingItem).place < place,
    )
  }
}

function isSame(a: RenditionProposal, b: RenditionProposal): boolean {
  return a.rendition.how === b.rendition.how && a.rendition.text === b.rendition.text
}
