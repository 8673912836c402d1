import { makeRoom } from '../propose/make-room.ts'
import type { Scene, Strategy } from '../propose/strategy.ts'
import type { Pending } from '../schedule/pending.ts'
import type { ChosenEpoch, EpochSchedule, PageBeforeRequest } from '../schedule/schedule.ts'
import type { EpochEntry, Ledger } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import type { Asking } from './asking.ts'
import type { Deciding } from './deciding.ts'
import type { Heritage, StandingDecision } from './heritage.ts'
import type { HistoryItems } from './history-items.ts'
import type { SentPage } from './sent-page.ts'

/** A request that is made now, not one that is only gone through again. */
export interface LiveRequest {
  readonly schedule: EpochSchedule
  readonly moment: RequestMoment
}

export interface OpeningOptions {
  readonly asking: Asking
  readonly deciding: Deciding
  readonly ledger: Ledger
  readonly items: HistoryItems
  readonly pending: Pending
  readonly sent: SentPage
  readonly strategies: readonly Strategy[]
  readonly heritage: Heritage
}

/** The epochs of a history: those of an earlier time again, and the one that opens with a request. */
export class Opening {
  readonly #options: OpeningOptions
  readonly #planned = new Map<number, EpochEntry[]>()
  #standing: readonly StandingDecision[]
  /** The newest request after a call of the prune tool. */
  #askedAtTurn = 0

  constructor(options: OpeningOptions) {
    this.#options = options
    this.#standing = options.heritage.standing
    for (const epoch of options.heritage.epochs) {
      this.#planned.set(epoch.turn, [...(this.#planned.get(epoch.turn) ?? []), epoch])
    }
  }

  /** The agent called its prune tool: under `on-demand`, that opens an epoch. */
  askForOne(): void {
    this.#askedAtTurn = this.#options.deciding.turn
  }

  /** All that went out with the last request is there, unless it was another history. */
  meetShared(): void {
    const { sent, items, heritage } = this.#options
    sent.shared = items.page.length
    const { sharedNewest } = heritage
    if (sharedNewest !== null && sharedNewest !== items.newestHandle) this.#standing = []
  }

  /** Opens what opens before a request with so many messages. */
  openDue(scene: Scene, messages: number, live: LiveRequest | null): void {
    const { deciding, ledger, sent } = this.#options
    const { turn } = deciding
    const planned = this.#planned.get(turn)
    if (planned !== undefined) {
      for (const epoch of planned) this.#open(epoch, scene, { isRepeated: true })
    }
    if (live === null) {
      const asked = this.#chooseAsked(scene)
      if (asked !== null) this.#open({ kind: 'epoch', turn, ...asked }, scene)
      sent.takeChangedFrom()
      return
    }
    this.#keepStanding()
    const before = this.#pageBefore(messages)
    const chosen = live.moment.isRepeated ? null : this.#choose(before, scene, live)
    if (chosen !== null) this.#open({ kind: 'epoch', turn, ...chosen }, scene)
    const from = sent.takeChangedFrom()
    ledger.sent(live.schedule.book(before, from, live.moment))
  }

  /** The request that was booked last went out as it came. Where everything may change at any time, none is booked. */
  takeBack(schedule: EpochSchedule): void {
    const { ledger, items } = this.#options
    const booked = ledger.entries.findLast((entry) => entry.kind === 'request')
    if (booked !== undefined) ledger.sent(schedule.takeBack(items.page, booked))
  }

  /**
   * What the client changed in its history may let strategies see the rest of it in another light. What they decided
   * about it before holds all the same while what replaced it is there, because its bytes are cached.
   */
  #keepStanding(): void {
    const { items, ledger, sent } = this.#options
    const standing = this.#standing
    this.#standing = []
    for (const { decision, by } of standing) {
      const item = items.find(decision.handle)
      const replacing = by === null ? null : items.find(by)
      if (item === undefined || replacing === undefined) continue
      if (ledger.isReverted(item.index) || !sent.isShared(item)) continue
      const belongsToCall = item.kind === 'call' || item.kind === 'result'
      if (belongsToCall && items.operationOf(item) === undefined) continue
      const { rendition } = ledger.of(item.index) ?? {}
      const { how, text } = decision.rendition
      if (rendition?.how === how && rendition.text === text) continue
      ledger.add({ ...decision, item: item.index, by: replacing?.index ?? null })
      items.page.show(item.index, text?.length ?? 0)
    }
  }

  #open(epoch: EpochEntry, scene: Scene, { isRepeated } = { isRepeated: false }): void {
    const { asking, deciding, items, ledger, pending, sent, strategies } = this.#options
    const { page } = items
    const wantedSize = page.shownBefore(page.length) - epoch.free
    ledger.open(epoch)
    sent.open(epoch.from, { isRepeated }, () => {
      asking.takeBackOpen()
      for (const proposal of pending.takeFrom(epoch.from)) deciding.propose(proposal)
      for (const strategy of strategies) strategy.epoch?.(scene)
      if (epoch.free === 0) return
      const needOf = (operation: Operation): number | null => this.#needOf(operation)
      const [operations, reasoning] = [items.operations(), items.plainReasoning()]
      makeRoom(wantedSize, { operations, reasoning, page, scene, needOf })
    })
  }

  #needOf(operation: Operation): number | null {
    const { strategies, deciding } = this.#options
    for (const strategy of strategies) {
      const need = strategy.needOf?.(operation, deciding.turn)
      if (need !== undefined) return need
    }
    return null
  }

  #choose(
    before: PageBeforeRequest,
    scene: Scene,
    { schedule, moment }: LiveRequest,
  ): ChosenEpoch | null {
    return scene.settings.schedule === 'on-demand'
      ? this.#chooseAsked(scene)
      : schedule.choose(before, moment)
  }

  /** Under `on-demand`, what the agent's prune tool opens, also while the history is gone through again. */
  #chooseAsked({ settings }: Scene): ChosenEpoch | null {
    if (settings.schedule !== 'on-demand') return null
    const { deciding } = this.#options
    const isAsked = this.#askedAtTurn === deciding.turn && !this.#planned.has(deciding.turn)
    return isAsked ? { reason: 'asked', from: 0, removed: 0, rewritten: 0, free: 0 } : null
  }

  #pageBefore(messages: number): PageBeforeRequest {
    const { deciding, items, pending, sent, heritage } = this.#options
    return {
      turn: deciding.turn,
      messages,
      newest: items.newestHandle ?? '',
      page: items.page,
      pending,
      shared: sent.shared,
      sent: sent.sent,
      boundTo: items.boundTo,
      isRewritten: heritage.isRewritten,
    }
  }
}
