import type { Usage } from '../words/item.ts'
import type { ModelCache, ObservedLifetime } from '../words/ledger.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import {
  idleBetween,
  isSameLifetime,
  isWarm,
  observeLifetime,
  RequestClock,
} from './cache-lifetime.ts'
import type { ModelFacts } from './models/model-facts.ts'
import type { Regime } from './regimes.ts'

/** Up to which place the provider would read the next request from its cache, in the original and as it is shown. */
export interface Cached {
  readonly original: number
  readonly shown: number
  /** The places of entries; left out when every place is one. */
  readonly ends?: readonly number[]
}

/** How many items at the end of a history are close enough to find an entry among them. */
const searchedItems = 40

/** What each model's provider has cached of this session. Each model has its own cache, and a session may return to one. */
export class ProviderCaches {
  #caches: readonly ModelCache[]
  readonly #clock: RequestClock
  /** Time between the last two requests to the current model. */
  #idleMs = 0

  constructor(known: readonly ModelCache[] = []) {
    this.#caches = known
    const times = known.flatMap(({ at }) => at ?? [])
    this.#clock = new RequestClock(times.length === 0 ? null : Math.max(...times))
  }

  get all(): readonly ModelCache[] {
    return this.#caches
  }

  /** What is still cached for the model of this request under a regime. */
  cachedFor(moment: RequestMoment, regime: Regime): Cached {
    const own = this.#cacheOf(moment.model)
    if (own === undefined) return { original: 0, shown: 0 }
    return this.#cachedIn(sharedWith(moment, own), moment.at, regime)
  }

  /** What is still cached for other models, and would be rewritten if the session returned to them. */
  cachedByOthers({ at, model }: RequestMoment, regime: Regime): readonly Cached[] {
    return this.#caches
      .filter((cache) => cache.model !== model)
      .map((cache) => this.#cachedIn(cache, at, regime))
  }

  /** The cache lifetime that usage has shown for a model. */
  observedOf(model: string | null): ObservedLifetime | undefined {
    return this.#cacheOf(model)?.observed
  }

  /** Learns from the usage of the last response of a model. True when that changes something. */
  observe(model: string | null, usage: Usage, facts: ModelFacts): boolean {
    const own = this.#cacheOf(model)
    if (own === undefined) return false
    const { observed: before, ...rest } = own
    const observed = observeLifetime(before, usage, facts.cache, this.#idleMs)
    if (isSameLifetime(before, observed)) return false
    const corrected = observed === undefined ? rest : { ...rest, observed }
    this.#caches = this.#caches.map((cache) => (cache === own ? corrected : cache))
    return true
  }

  /** The client may have sent this many items to a model as they are; we show the first `same` of them so too. */
  join(moment: RequestMoment, items: number, same: number): void {
    const unchanged = this.#cacheOf(moment.model)?.unchanged ?? 0
    this.send(moment, items, null)
    this.#caches = this.#caches.map((cache) =>
      cache.model === moment.model
        ? { ...cache, unchanged: Math.min(items, Math.max(unchanged, same)) }
        : cache,
    )
  }

  /** The client changed its history from this place on. */
  rewrite(from: number): void {
    this.#caches = this.#caches.map((cache) => ({
      ...cache,
      sent: Math.min(cache.sent, from),
      unchanged: Math.min(cache.unchanged, from),
      ...endsOf(cache, from),
    }))
  }

  /** A request with this many items was sent; our first change of sent bytes is at `from`. */
  send(moment: RequestMoment, items: number, from: number | null): void {
    const { at, model } = moment
    const now = this.#clock.send(at)
    const own = this.#cacheOf(model)
    this.#idleMs = idleBetween(own?.at ?? null, now)
    const observed = own?.observed === undefined ? {} : { observed: own.observed }
    const others = this.#caches
      .filter((cache) => cache.model !== model)
      .map((cache) => ({ ...cache, unchanged: Math.min(cache.unchanged, from ?? Infinity) }))
    const kept = own && endsOf(sharedWith(moment, own), from ?? Infinity).ends
    const isNear = (place: number): boolean => place < items && place >= items - searchedItems
    const near = (kept ?? []).filter(({ place }) => isNear(place))
    const ends = [...near, { place: items, at: now }]
    const sent = {
      model,
      at: now,
      sent: items,
      unchanged: items,
      ...accountIn(moment),
      ...observed,
      ends,
    }
    this.#caches = [...others, sent]
  }

  /** This many items were sent once more, as they were sent before. */
  touch(moment: RequestMoment, items: number): void {
    const { at, model } = moment
    const now = this.#clock.send(at)
    this.#idleMs = idleBetween(this.#cacheOf(model)?.at ?? null, now)
    this.#caches = this.#caches.map((cache) => {
      if (cache.model !== model) return cache
      const { ends = [], ...rest } = sharedWith(moment, cache)
      const others = ends.filter(({ place }) => place !== items)
      return {
        ...rest,
        ...accountIn(moment),
        at: now,
        ends: [...others, { place: items, at: now }],
      }
    })
  }

  /** The last request to a model was sent unchanged; it differs from what we show from this place on. */
  markOriginalSent(model: string | null, from: number): void {
    this.#caches = this.#caches.map((cache) => {
      if (cache.model !== model) return cache
      return { ...cache, unchanged: Math.min(cache.unchanged, from), isOriginal: true }
    })
  }

  /** Whether the cache for the model of this request holds an unchanged request. */
  hasOriginal({ at, model }: RequestMoment, regime: Regime): boolean {
    const own = this.#cacheOf(model)
    return own?.isOriginal === true && this.#cachedIn(own, at, regime).original > 0
  }

  #cacheOf(model: string | null): ModelCache | undefined {
    return this.#caches.find((cache) => cache.model === model)
  }

  #cachedIn(cache: ModelCache, at: number | null, { lifetimeMs, lookbackItems }: Regime): Cached {
    if (!isWarm(idleBetween(cache.at, this.#clock.at(at)), lifetimeMs))
      return { original: 0, shown: 0 }
    const { sent: original, unchanged: shown } = cache
    if (lookbackItems === undefined || cache.ends === undefined) return { original, shown }
    const now = this.#clock.at(at)
    const alive = cache.ends.filter((end) => isWarm(idleBetween(end.at, now), lifetimeMs))
    return { original, shown, ends: alive.map(({ place }) => place) }
  }
}

function accountIn({ account }: RequestMoment): Pick<ModelCache, 'account'> {
  return account === undefined ? {} : { account }
}

/**
 * What is known of a cache under the account of a request. Another credential may be that of another account, in which the
 * provider has nothing of this session. It may also be that of the same one, so what was sent counts as cached.
 */
function sharedWith({ account }: RequestMoment, cache: ModelCache): ModelCache {
  return cache.account === account ? cache : { ...cache, ends: [] }
}

/** The ends that stay where they were when what follows `from` changes. */
function endsOf({ ends }: ModelCache, from: number): Pick<ModelCache, 'ends'> {
  return ends === undefined ? {} : { ends: ends.filter(({ place }) => place <= from) }
}
