import { charactersToFree } from '../record/context-room.ts'
import type { ItemSizes } from '../record/item-sizes.ts'
import type { Usage } from '../words/item.ts'
import type { EpochReason, LedgerEntry, RequestEntry, RestoreCosts } from '../words/ledger.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import type { Schedule as ScheduleName } from '../words/settings.ts'
import { type Bank, createBank } from './bank.ts'
import { longerRegime, observedRegime } from './cache-lifetime.ts'
import {
  bestOpening,
  costWithout,
  firstAffordable,
  type GateView,
  type Opening,
  savedAt,
} from './gate.ts'
import { type ModelFacts, type ModelOverride, modelFacts } from './models/model-facts.ts'
import type { Pending } from './pending.ts'
import { noPromptRules, type PromptFloor, type PromptRules, promptRules } from './prompt-rules.ts'
import { type Cached, ProviderCaches } from './provider-caches.ts'
import type { Regime } from './regimes.ts'
import { addRestoreCosts, type Restored } from './restore-costs.ts'

/** The state of the history before a request. */
export interface BeforeRequest {
  readonly turn: number
  readonly messages: number
  readonly newest: string
  readonly sizes: ItemSizes
  readonly pending: Pending
  /** How many of the items were sent, in this order, with the previous request. */
  readonly shared: number
  /** How many items were ever sent. */
  readonly sent: number
  /** The place after the newest signed reasoning. */
  readonly boundTo: number
  /** True when the client changed messages that it had sent. */
  readonly isRewritten: boolean
  readonly restored: Restored
}

export interface ChosenEpoch extends Opening {
  readonly reason: EpochReason
  /** Characters that must leave the context so that it fits, whatever the cost; 0 in all other epochs. */
  readonly free: number
}

/**
 * Decides when sent bytes may change. There is one for all histories of a session, because it knows what the provider has
 * cached and what the session has saved.
 */
export interface EpochSchedule {
  /** Whether, why and from where on sent bytes change at this request. */
  choose(before: BeforeRequest, moment: RequestMoment): ChosenEpoch | null
  /** The request is sent as the context is now; books its savings. */
  book(before: BeforeRequest, from: number | null, moment: RequestMoment): RequestEntry
  /** The context limit of a model in tokens; null when it is unknown. */
  contextLimit(model: string | null): number | null
  /** How short the items of a prompt may become. */
  promptFloor(moment: RequestMoment): PromptFloor
  /** True once restores have cost more than the session saved. */
  isSpent(): boolean
  /** The request that was booked last was sent unchanged after all. */
  undoBooking(sizes: ItemSizes, entry: RequestEntry): RequestEntry
  /** The last request was sent once more, or with a question at its end: the provider's cache begins to age anew. */
  sentAgain(sizes: ItemSizes, moment: RequestMoment): RequestEntry | null
  /** Corrects the assumed cache lifetime by the usage of a response; returns the corrected entry when it changes. */
  usage(usage: Usage, model: string | null): RequestEntry | null
}

export interface ScheduleOptions {
  readonly name: ScheduleName
  /** See `EngineOptions`. */
  readonly regimes: readonly Regime[] | 'model'
  readonly models?: readonly ModelOverride[] | undefined
  /** Replaces the model's own limit, in tokens. */
  readonly contextLimit: number | null
  /** The ledger of an earlier process. */
  readonly ledger: readonly LedgerEntry[]
}

/** The most future requests that count, because a session may end at any time. */
const longestHorizon = { onePrice: 30, several: 60 }
const shortestHorizon = 10
/** How much more a session may cost if its cache lives longer than the request and usage say. */
const wrongLifetimeShare = 0.01

export function createEpochSchedule(options: ScheduleOptions): EpochSchedule {
  return new PricedSchedule(options)
}

class PricedSchedule implements EpochSchedule {
  readonly #options: ScheduleOptions
  readonly #bank: Bank
  readonly #caches: ProviderCaches
  readonly #factsByModel = new Map<string | null, ModelFacts>()
  #isFirst: boolean
  #restored: RestoreCosts | undefined
  /** What the provider had cached before the request that was booked last. */
  #cachedBefore: Pick<GateView, 'regimes' | 'cached'> = { regimes: [], cached: [] }
  #booked: RequestEntry | null = null
  /** The last rewritten history, and the last joined one, that were already reported to the caches. */
  #rewritten: ItemSizes | null = null
  #joined: ItemSizes | null = null

  constructor(options: ScheduleOptions) {
    const last = options.ledger.findLast((entry) => entry.kind === 'request')
    this.#options = options
    this.#bank = createBank(last?.balances)
    this.#caches = new ProviderCaches(last?.caches)
    this.#isFirst = last === undefined
    this.#restored = last?.restored
  }

  choose(request: BeforeRequest, moment: RequestMoment): ChosenEpoch | null {
    if (request.sent === 0) return null
    const free = charactersToFree(request.sizes, this.contextLimit(moment.model))
    if (free > 0) {
      const everything = {
        from: 0,
        removed: free,
        rewritten: request.sizes.shownBefore(request.shared),
      }
      return this.#afterReasoning({ ...everything, reason: 'pressure', free }, request, moment)
    }
    // The next request would not show what was changed for this one.
    if (this.#options.name === 'admission-only' || moment.isAside === true) return null
    return this.#afterReasoning(this.#chooseEconomically(request, moment), request, moment)
  }

  book(request: BeforeRequest, from: number | null, moment: RequestMoment): RequestEntry {
    if (moment.isRepeated !== true) {
      const view = this.#gateView(request, moment)
      const cut = from === null ? null : { from, removed: 0 }
      this.#bank.book(
        view.regimes.map((_, index) => savedAt(index, view, cut) + allowance(index, view)),
      )
      const shared = request.sizes.shownBefore(request.shared)
      this.#restored = addRestoreCosts(this.#restored, request.restored, view.regimes, shared)
      this.#isFirst = false
      const { regimes, cached } = view
      const hasOriginal = this.#hasOriginal(regimes, moment)
      this.#cachedBefore = hasOriginal ? { regimes: [], cached: [] } : { regimes, cached }
      this.#caches.send(moment, request.sizes.length, from)
    }
    this.#booked = {
      kind: 'request',
      turn: request.turn,
      messages: request.messages,
      newest: request.newest,
      at: moment.at,
      model: moment.model,
      balances: [...this.#bank.balances],
      caches: this.#caches.all,
      ...(this.#restored === undefined ? {} : { restored: this.#restored }),
    }
    return this.#booked
  }

  contextLimit(model: string | null): number | null {
    return this.#options.contextLimit ?? this.#factsOf(model).contextLimit
  }

  promptFloor(moment: RequestMoment): PromptFloor {
    const { prefix, least } = this.#promptRules(moment)
    const read = Math.min(...this.#regimesAt(moment).map((regime) => regime.read))
    return { shown: least - prefix, original: least / read - prefix }
  }

  #promptRules(moment: RequestMoment): PromptRules {
    const { name, regimes } = this.#options
    const countsCosts = name !== 'eager' && name !== 'on-demand' && regimes === 'model'
    return countsCosts ? promptRules(this.#factsOf(moment.model), moment) : noPromptRules
  }

  isSpent(): boolean {
    const costs = this.#restored?.costs ?? []
    return costs.some((cost, index) => (this.#bank.balances[index] ?? 0) < cost)
  }

  undoBooking(sizes: ItemSizes, entry: RequestEntry): RequestEntry {
    this.#bank.undo()
    const { regimes, cached } = this.#cachedBefore
    this.#bank.book(regimes.map((regime, index) => -lossOf(regime, cached[index] as Cached, sizes)))
    this.#caches.markOriginalSent(entry.model, firstDifference(sizes))
    this.#booked = { ...entry, balances: [...this.#bank.balances], caches: this.#caches.all }
    return this.#booked
  }

  sentAgain(sizes: ItemSizes, moment: RequestMoment): RequestEntry | null {
    if (this.#booked === null) return null
    this.#caches.touch(moment, sizes.length)
    this.#booked = { ...this.#booked, at: moment.at, caches: this.#caches.all }
    return this.#booked
  }

  usage(usage: Usage, model: string | null): RequestEntry | null {
    const isNew = this.#caches.observe(model, usage, this.#factsOf(model))
    if (!isNew || this.#booked === null) return null
    this.#booked = { ...this.#booked, caches: this.#caches.all }
    return this.#booked
  }

  #factsOf(model: string | null): ModelFacts {
    const facts = this.#factsByModel.get(model) ?? modelFacts(model, this.#options.models)
    this.#factsByModel.set(model, facts)
    return facts
  }

  #regimesAt({ model, lifetime }: RequestMoment): readonly Regime[] {
    const { regimes } = this.#options
    if (regimes !== 'model') return regimes
    return [observedRegime(this.#factsOf(model), this.#caches.observedOf(model), lifetime)]
  }

  /** The same regimes for the case that the provider keeps the cache longer than it says. */
  #longerRegimes(regimes: readonly Regime[], { model }: RequestMoment): readonly Regime[] {
    // A client asks for the same lifetime from all models.
    const observed =
      this.#caches.observedOf(model) ??
      this.#caches.all.find((cache) => cache.observed?.kind === 'short')?.observed
    return regimes.flatMap((regime) => longerRegime(regime, this.#factsOf(model), observed) ?? [])
  }

  #gateView(request: BeforeRequest, moment: RequestMoment): GateView {
    const priced = this.#regimesAt(moment)
    const regimes = [...priced, ...this.#longerRegimes(priced, moment)]
    if (moment.isJoined === true && this.#joined !== request.sizes) {
      this.#joined = request.sizes
      // What went past us was sent as it came, while the provider had cached what we had shown.
      const cached = regimes.map((regime) => this.#caches.cachedFor(moment, regime))
      this.#bank.book(
        regimes.map((regime, at) => -lossOf(regime, cached[at] as Cached, request.sizes)),
      )
      this.#caches.join(moment, request.shared, firstDifference(request.sizes))
    }
    if (request.isRewritten && this.#rewritten !== request.sizes) {
      this.#rewritten = request.sizes
      this.#caches.rewrite(request.shared)
    }
    const longest = priced.length > 1 ? longestHorizon.several : longestHorizon.onePrice
    return {
      ...request,
      regimes,
      priced: priced.length,
      bank: this.#bank,
      horizon: Math.min(longest, Math.max(shortestHorizon, request.turn / 2)),
      cached: regimes.map((regime) => this.#caches.cachedFor(moment, regime)),
      prompt: this.#promptRules(moment),
      floor: this.promptFloor(moment),
      cachedByOthers: regimes.map((regime) => this.#caches.cachedByOthers(moment, regime)),
    }
  }

  #reasonFor(request: BeforeRequest, { model }: RequestMoment): EpochReason {
    if (this.#isFirst) return 'resumed'
    if (request.isRewritten && request.shared < request.sent) return 'rewritten'
    return this.#caches.all.some((cache) => cache.model === model) ? 'idle' : 'model'
  }

  #hasOriginal(regimes: readonly Regime[], moment: RequestMoment): boolean {
    return regimes.some((regime) => this.#caches.hasOriginal(moment, regime))
  }

  /** What follows the last cached byte is written again anyway. Earlier bytes change only where that pays. */
  #chooseEconomically(request: BeforeRequest, moment: RequestMoment): ChosenEpoch | null {
    const view = this.#gateView(request, moment)
    const expected = view.cached.slice(0, view.priced)
    const cached = Math.max(...expected.map(({ shown }) => Math.min(shown, request.sent)), 0)
    const isPatient = this.#options.name === 'cold-only' || moment.isDelegated === true
    // When nothing is cached, every place is after the last cached byte.
    const paying = isPatient || cached === 0 ? null : bestOpening(view)
    if (paying !== null && paying.from < cached) return { ...paying, reason: 'pays', free: 0 }
    if (cached >= request.sent) return null
    const from = firstAffordable(cached, view)
    if (from >= request.sent) return null
    // The cache holds an unchanged request, and the next one may be sent unchanged too.
    if (this.#hasOriginal(view.regimes, moment)) return null
    const reason = this.#reasonFor(request, moment)
    return { from, removed: 0, rewritten: 0, reason, free: 0 }
  }

  /** Some providers reject reasoning when anything before it has changed, so the epoch starts after it. */
  #afterReasoning(
    chosen: ChosenEpoch | null,
    request: BeforeRequest,
    { model }: RequestMoment,
  ): ChosenEpoch | null {
    if (chosen === null || request.boundTo <= chosen.from) return chosen
    if (this.#factsOf(model).reasoning !== 'prefix-checked') return chosen
    return request.boundTo >= request.sent ? null : { ...chosen, from: request.boundTo }
  }
}

/** A regime that does not decide may be overdrawn a little, because it holds only if a lifetime turns out wrong. */
function allowance(index: number, view: GateView): number {
  return index < view.priced ? 0 : wrongLifetimeShare * costWithout(index, view)
}

/** How much more an unchanged request costs when the provider has cached the pruned one. */
function lossOf({ write, read }: Regime, { original, shown }: Cached, sizes: ItemSizes): number {
  const still = sizes.originalBefore(Math.min(shown, firstDifference(sizes)))
  return (write - read) * Math.max(0, sizes.originalBefore(original) - still)
}

/** The first place that is shown differently from the original; the end when there is none. */
function firstDifference(sizes: ItemSizes): number {
  let place = 0
  while (place < sizes.length && sizes.shownBefore(place + 1) === sizes.originalBefore(place + 1))
    place++
  return place
}
