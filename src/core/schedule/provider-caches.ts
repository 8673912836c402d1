import type { Usage } from '../words/item.ts'
import type { ModelCache, ObservedLifetime } from '../words/ledger.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import type { ModelFacts } from './models/model-facts.ts'
import { isSameLifetime, observeLifetime } from './observed-lifetime.ts'
import type { Regime } from './regimes.ts'

/** Up to where a provider reads the next request from its cache: as it would have been without us, and as it is. */
export interface Cached {
  readonly original: number
  readonly shown: number
}

/** Each model has a cache of its own, and a session may come back to one. */
export interface ProviderCaches {
  readonly all: readonly ModelCache[]
  /** What the model of this request still holds under a regime. */
  cachedFor(moment: RequestMoment, regime: Regime): Cached
  /** What others hold that would have to be written again if the session came back to them. */
  heldByOthers(moment: RequestMoment, regime: Regime): readonly Cached[]
  /** What answers have shown of a model's cache. */
  observedOf(model: string | null): ObservedLifetime | undefined
  /** The figures of the answer to the last request to a model. True when they show something new. */
  observe(model: string | null, usage: Usage, facts: ModelFacts): boolean
  /** The client changed its history behind this place. */
  rewrite(from: number): void
  /** A request went out with so many items, the first change of ours at `from`. */
  send(moment: RequestMoment, items: number, from: number | null): void
  /** The last request to a model went out as it came, and not as it is shown from this place on. */
  sentOriginal(model: string | null, from: number): void
  /** Whether that is what the model of this request has. */
  hasOriginal(moment: RequestMoment, regime: Regime): boolean
}

export function createProviderCaches(known: readonly ModelCache[] = []): ProviderCaches {
  let caches: readonly ModelCache[] = known
  let newest: number | null = known.reduce<number | null>(
    (latest, { at }) => (at === null ? latest : Math.max(at, latest ?? at)),
    null,
  )

  /** Between the last two requests to the model of the last one. */
  let idleMs = 0

  function cachedIn(cache: ModelCache, at: number | null, { lifetimeMs }: Regime): Cached {
    // A request without a time comes directly after the one before.
    const idle = at === null || cache.at === null ? 0 : at - cache.at
    const isWarm = lifetimeMs !== null && idle <= lifetimeMs
    return { original: isWarm ? cache.sent : 0, shown: isWarm ? cache.unchanged : 0 }
  }

  return {
    get all(): readonly ModelCache[] {
      return caches
    },
    cachedFor({ at, model }, regime) {
      const own = caches.find((cache) => cache.model === model)
      return own === undefined ? { original: 0, shown: 0 } : cachedIn(own, at ?? newest, regime)
    },
    heldByOthers({ at, model }, regime) {
      return caches
        .filter((cache) => cache.model !== model)
        .map((cache) => cachedIn(cache, at ?? newest, regime))
    },
    observedOf: (model) => caches.find((cache) => cache.model === model)?.observed,
    observe(model, usage, facts) {
      const own = caches.find((cache) => cache.model === model)
      if (own === undefined) return false
      const { observed: before, ...rest } = own
      const observed = observeLifetime(before, usage, facts, idleMs)
      if (isSameLifetime(before, observed)) return false
      const corrected = observed === undefined ? rest : { ...rest, observed }
      caches = caches.map((cache) => (cache === own ? corrected : cache))
      return true
    },
    rewrite(from) {
      caches = caches.map((cache) => ({
        ...cache,
        sent: Math.min(cache.sent, from),
        unchanged: Math.min(cache.unchanged, from),
      }))
    },
    send({ at, model }, items, from) {
      newest = at ?? newest
      const own = caches.find((cache) => cache.model === model)
      idleMs = newest === null || own?.at == null ? 0 : newest - own.at
      const observed = own?.observed === undefined ? {} : { observed: own.observed }
      const others = caches
        .filter((cache) => cache.model !== model)
        .map((cache) => ({ ...cache, unchanged: Math.min(cache.unchanged, from ?? Infinity) }))
      caches = [...others, { model, at: newest, sent: items, unchanged: items, ...observed }]
    },
    sentOriginal(model, from) {
      caches = caches.map((cache) => {
        if (cache.model !== model) return cache
        return { ...cache, unchanged: Math.min(cache.unchanged, from), isOriginal: true }
      })
    },
    hasOriginal({ at, model }, regime) {
      const own = caches.find((cache) => cache.model === model)
      return own?.isOriginal === true && cachedIn(own, at ?? newest, regime).original > 0
    },
  }
}
