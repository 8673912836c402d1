import type { Usage } from '../words/item.ts'
import type { ModelCache, ObservedLifetime } from '../words/ledger.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import type { ModelFacts } from './models/model-facts.ts'
import { type Lifetime, type Regime, regimeOf } from './regimes.ts'

/** Up to which place the provider would read the next request from its cache, in the original and as it is shown. */
export interface Cached {
  readonly original: number
  readonly shown: number
}

/** What each model's provider has cached of this session. Each model has its own cache, and a session may return to one. */
export class ProviderCaches {
  #caches: readonly ModelCache[]
  #newest: number | null
  /** Time between the last two requests to the current model. */
  #idleMs = 0

  constructor(known: readonly ModelCache[] = []) {
    this.#caches = known
    const times = known.flatMap(({ at }) => at ?? [])
    this.#newest = times.length === 0 ? null : Math.max(...times)
  }

  get all(): readonly ModelCache[] {
    return this.#caches
  }

  /** What is still cached for the model of this request under a regime. */
  cachedFor({ at, model }: RequestMoment, regime: Regime): Cached {
    const own = this.#cacheOf(model)
    return own === undefined ? { original: 0, shown: 0 } : this.#cachedIn(own, at, regime)
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
    const observed = observeLifetime(before, usage, facts, this.#idleMs)
    if (isSameLifetime(before, observed)) return false
    const corrected = observed === undefined ? rest : { ...rest, observed }
    this.#caches = this.#caches.map((cache) => (cache === own ? corrected : cache))
    return true
  }

  /** The client changed its history from this place on. */
  rewrite(from: number): void {
    this.#caches = this.#caches.map((cache) => ({
      ...cache,
      sent: Math.min(cache.sent, from),
      unchanged: Math.min(cache.unchanged, from),
    }))
  }

  /** A request with this many items was sent; our first change of sent bytes is at `from`. */
  send({ at, model }: RequestMoment, items: number, from: number | null): void {
    this.#newest = at ?? this.#newest
    const own = this.#cacheOf(model)
    this.#idleMs = this.#newest === null || own?.at == null ? 0 : this.#newest - own.at
    const observed = own?.observed === undefined ? {} : { observed: own.observed }
    const others = this.#caches
      .filter((cache) => cache.model !== model)
      .map((cache) => ({ ...cache, unchanged: Math.min(cache.unchanged, from ?? Infinity) }))
    const sent = { model, at: this.#newest, sent: items, unchanged: items, ...observed }
    this.#caches = [...others, sent]
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

  /** A request without a time counts as directly after the previous one. */
  #cachedIn(cache: ModelCache, at: number | null, { lifetimeMs }: Regime): Cached {
    const now = at ?? this.#newest
    const idle = now === null || cache.at === null ? 0 : now - cache.at
    const isWarm = lifetimeMs !== null && idle <= lifetimeMs
    return { original: isWarm ? cache.sent : 0, shown: isWarm ? cache.unchanged : 0 }
  }
}

/**
 * The lifetime that usage shows: it says which lifetime was written, or the provider still reads an entry that should
 * have expired. `idleMs` is the time since the previous request.
 */
function observeLifetime(
  before: ObservedLifetime | undefined,
  usage: Usage,
  { cache }: ModelFacts,
  idleMs: number,
): ObservedLifetime | undefined {
  const { input, cacheRead, cacheWrite, cacheWriteLong } = usage
  if (cache.kind === 'none') return before
  const long = cache.kind === 'breakpoints' ? cache.longLifetimeMs : null
  if (long !== null && cacheWriteLong !== undefined && cacheWrite > 0)
    return { kind: 2 * cacheWriteLong >= cacheWrite ? 'long' : 'short' }
  const knownMs = before?.kind === 'at-least' ? before.ms : cache.lifetimeMs
  // Other sessions may keep the tools and the system prompt warm, but that is less than half of a prompt.
  if (idleMs <= knownMs || 2 * cacheRead < input) return before
  if (cache.kind === 'automatic') return { kind: 'at-least', ms: idleMs }
  return long !== null && idleMs <= long ? { kind: 'long' } : before
}

function isSameLifetime(
  one: ObservedLifetime | undefined,
  other: ObservedLifetime | undefined,
): boolean {
  const msOf = (each: typeof one): number | null => (each?.kind === 'at-least' ? each.ms : null)
  return one?.kind === other?.kind && msOf(one) === msOf(other)
}

/** The prices and the lifetime of a model: what usage has shown, otherwise what the request asks for. */
export function observedRegime(
  facts: ModelFacts,
  observed: ObservedLifetime | undefined,
  declared?: Lifetime,
): Regime {
  if (observed?.kind !== 'at-least') return regimeOf(facts, observed?.kind ?? declared)
  const regime = regimeOf(facts)
  return { ...regime, lifetimeMs: Math.max(regime.lifetimeMs ?? 0, observed.ms) }
}

const hourMs = 3_600_000

/**
 * The regime that would hold if the provider kept the cache for an hour; null when the lifetime is as long, or when usage has
 * confirmed it.
 */
export function longerRegime(
  regime: Regime,
  facts: ModelFacts,
  observed: ObservedLifetime | undefined,
): Regime | null {
  if (observed?.kind === 'short') return null
  if (regime.lifetimeMs === null || regime.lifetimeMs >= hourMs) return null
  const write = Math.max(regime.write, facts.longWrite ?? 0)
  return { ...regime, write, lifetimeMs: hourMs }
}
