import type { RequestMoment } from './epoch.ts'
import type { Regime } from './regimes.ts'

/** What a model's provider was sent last, and how much of it is still shown so. Places count items of the history. */
export interface ModelCache {
  readonly model: string | null
  /** Milliseconds since 1970. */
  readonly at: number | null
  /** How many items it was sent. */
  readonly sent: number
  /** Up to which of them nothing of ours has changed since. */
  readonly unchanged: number
}

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
  /** The client changed its history behind this place. */
  rewrite(from: number): void
  /** A request went out with so many items, the first change of ours at `from`. */
  send(moment: RequestMoment, items: number, from: number | null): void
}

export function createProviderCaches(known: readonly ModelCache[] = []): ProviderCaches {
  let caches: readonly ModelCache[] = known
  let newest: number | null = known.reduce<number | null>(
    (latest, { at }) => (at === null ? latest : Math.max(at, latest ?? at)),
    null,
  )

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
    rewrite(from) {
      caches = caches.map((cache) => ({
        ...cache,
        sent: Math.min(cache.sent, from),
        unchanged: Math.min(cache.unchanged, from),
      }))
    },
    send({ at, model }, items, from) {
      newest = at ?? newest
      const others = caches
        .filter((cache) => cache.model !== model)
        .map((cache) => ({ ...cache, unchanged: Math.min(cache.unchanged, from ?? Infinity) }))
      caches = [...others, { model, at: newest, sent: items, unchanged: items }]
    },
  }
}
