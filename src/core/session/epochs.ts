import { makeRoom } from '../propose/make-room.ts'
import type { Strategy, View } from '../propose/strategy.ts'
import type { Pending } from '../schedule/pending.ts'
import type { BeforeRequest, ChosenEpoch, EpochSchedule } from '../schedule/schedule.ts'
import type { EpochEntry, Ledger } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import type { Inheritance, StandingDecision } from './inherit.ts'
import type { HistoryItems } from './items.ts'
import type { Restores } from './restores.ts'
import type { Settling } from './settle.ts'

/** A request that is sent now, as opposed to one that is replayed. */
export interface LiveRequest {
  readonly schedule: EpochSchedule
  readonly moment: RequestMoment
}

export interface EpochsOptions {
  readonly settling: Settling
  readonly ledger: Ledger
  readonly items: HistoryItems
  readonly pending: Pending
  readonly strategies: readonly Strategy[]
  readonly inheritance: Inheritance
  readonly view: View
  readonly restores: Pick<Restores, 'total'>
}

/** Opens the epochs of a history: replays earlier ones, and opens a new one when the schedule chooses to. */
export class Epochs {
  readonly #options: EpochsOptions
  #standing: readonly StandingDecision[]
  /** The newest request that followed a call of the prune tool. */
  #askedAtTurn = 0

  constructor(options: EpochsOptions) {
    this.#options = options
    this.#standing = options.inheritance.standing
  }

  /** The agent called its prune tool, which opens an epoch under `on-demand`. */
  requestEpoch(): void {
    this.#askedAtTurn = this.#options.settling.turn
  }

  /** Called when all messages of the last request have arrived. Drops kept decisions if it was a different history. */
  reachShared(): void {
    const { items, inheritance } = this.#options
    items.shared = items.sizes.length
    const { sharedNewest } = inheritance
    if (sharedNewest !== null && sharedNewest !== items.newestHandle) this.#standing = []
  }

  /** Opens the epochs that are due before a request; null replays one. */
  openDue(live: LiveRequest | null): void {
    const { items, ledger, settling } = this.#options
    const { turn } = settling
    for (const epoch of this.#inheritedAt(turn)) this.#open(epoch, { isReplayed: true })
    if (live === null) {
      this.#openChosen(this.#chooseAsked())
      items.takeChangedFrom()
      return
    }
    if (items.hasShared) this.#keepStanding()
    settling.mendPointers()
    const before = this.#beforeRequest()
    const mayOpen = live.moment.isRepeated !== true && live.moment.isPaused !== true
    if (mayOpen) this.#openChosen(this.#choose(before, live))
    ledger.sent(live.schedule.book(before, items.takeChangedFrom(), live.moment))
  }

  /** The request that was booked last was sent unchanged. Under `eager` none is booked. */
  markBypassed(schedule: EpochSchedule): void {
    const { ledger, items } = this.#options
    const booked = ledger.entries.findLast((entry) => entry.kind === 'request')
    if (booked !== undefined) ledger.sent(schedule.undoBooking(items.sizes, booked))
  }

  /** The request that was booked last was sent once more. */
  sentAgain(schedule: EpochSchedule, moment: RequestMoment): void {
    const { ledger, items } = this.#options
    const entry = schedule.sentAgain(items.sizes, moment)
    if (entry !== null) ledger.sent(entry)
  }

  #inheritedAt(turn: number): readonly EpochEntry[] {
    return this.#options.inheritance.epochs.filter((epoch) => epoch.turn === turn)
  }

  /**
   * Strategies may decide differently about the rest of an edited history. Earlier decisions are kept while the replacing
   * items are still there, because those bytes are cached.
   */
  #keepStanding(): void {
    const { items, ledger } = this.#options
    const standing = this.#standing
    this.#standing = []
    for (const { decision, by } of standing) {
      const item = items.find(decision.handle)
      const replacing = by === null ? null : items.find(by)
      if (item === undefined || replacing === undefined) continue
      if (ledger.isReverted(item.index) || !items.isShared(item)) continue
      const belongsToCall = item.kind === 'call' || item.kind === 'result'
      if (belongsToCall && items.operationOf(item) === undefined) continue
      const { rendition } = ledger.of(item.index) ?? {}
      const { how, text } = decision.rendition
      if (rendition?.how === how && rendition.text === text) continue
      ledger.add({ ...decision, item: item.index, by: replacing?.index ?? null })
      items.sizes.show(item.index, text?.length ?? 0)
    }
  }

  #openChosen(chosen: ChosenEpoch | null): void {
    if (chosen === null) return
    this.#open({ kind: 'epoch', turn: this.#options.settling.turn, ...chosen })
  }

  #open(epoch: EpochEntry, { isReplayed } = { isReplayed: false }): void {
    const { items, ledger, settling, strategies, view } = this.#options
    const { sizes } = items
    const wantedSize = sizes.shownBefore(sizes.length) - epoch.free
    ledger.open(epoch)
    items.open(epoch.from, { isReplayed })
    settling.proposeFrom(epoch.from)
    for (const strategy of strategies) settling.run(strategy.epoch?.(view))
    if (epoch.free > 0) {
      const needOf = (operation: Operation): number | null => this.#needOf(operation)
      const [operations, reasoning] = [items.operations(), items.plainReasoning()]
      settling.run(makeRoom(wantedSize, { operations, reasoning, sizes, view, needOf }))
    }
    settling.mendPointers()
    items.close()
  }

  #needOf(operation: Operation): number | null {
    const { strategies, settling } = this.#options
    for (const strategy of strategies) {
      const need = strategy.needOf?.(operation, settling.turn)
      if (need !== undefined) return need
    }
    return null
  }

  #choose(before: BeforeRequest, { schedule, moment }: LiveRequest): ChosenEpoch | null {
    return this.#options.view.settings.schedule === 'on-demand'
      ? this.#chooseAsked()
      : schedule.choose(before, moment)
  }

  /** Under `on-demand`, the epoch that the agent's prune tool opens, even while the history is replayed. */
  #chooseAsked(): ChosenEpoch | null {
    const { settling, view } = this.#options
    if (view.settings.schedule !== 'on-demand') return null
    const isAsked =
      this.#askedAtTurn === settling.turn && this.#inheritedAt(settling.turn).length === 0
    return isAsked ? { reason: 'asked', from: 0, removed: 0, rewritten: 0, free: 0 } : null
  }

  #beforeRequest(): BeforeRequest {
    const { settling, items, pending, inheritance, restores } = this.#options
    return {
      turn: settling.turn,
      messages: items.messages,
      newest: items.newestHandle ?? '',
      sizes: items.sizes,
      pending,
      shared: items.shared,
      sent: items.sent,
      boundTo: items.boundTo,
      isRewritten: inheritance.isRewritten,
      restored: restores.total,
    }
  }
}
