import type { Usage } from '../words/item.ts'
import type { ObservedLifetime } from '../words/ledger.ts'
import type { ModelFacts } from './models/model-facts.ts'
import type { CacheRules } from './models/model-row.ts'
import { type Lifetime, type Regime, regimeOf } from './regimes.ts'

/** The time of requests. A request without a time counts as directly after the previous one, and time never runs back. */
export class RequestClock {
  #first: number | null
  #newest: number | null

  constructor(newest: number | null = null) {
    this.#first = newest
    this.#newest = newest
  }

  /** The time of a request that is not sent yet; null while no request had a time. */
  at(at: number | null): number | null {
    if (at === null || this.#newest === null) return at ?? this.#newest
    return Math.max(at, this.#newest)
  }

  /** The time of a request that is sent now. */
  send(at: number | null): number | null {
    this.#newest = this.at(at)
    this.#first ??= this.#newest
    return this.#newest
  }

  /** Milliseconds from the first request with a time to one that is not sent yet. */
  elapsedAt(at: number | null): number {
    return idleBetween(this.#first, this.at(at))
  }
}

/** Milliseconds between two requests; 0 when the time of one is unknown. */
export function idleBetween(before: number | null, now: number | null): number {
  return before === null || now === null ? 0 : now - before
}

/** Whether a provider still has an entry that was last used this long ago. */
export function isWarm(idleMs: number, lifetimeMs: number | null): boolean {
  return lifetimeMs !== null && idleMs <= lifetimeMs
}

/** How long entries live: what usage has shown, otherwise the provider's rule; null when nothing is cached. */
export function lifetimeOf(
  rules: CacheRules,
  observed: ObservedLifetime | undefined,
): number | null {
  if (rules.kind === 'none') return null
  if (observed?.kind === 'at-least') return Math.max(rules.lifetimeMs, observed.ms)
  const long = rules.kind === 'breakpoints' ? rules.longLifetimeMs : null
  return observed?.kind === 'long' ? (long ?? rules.lifetimeMs) : rules.lifetimeMs
}

/**
 * The lifetime that usage shows: it says which lifetime was written, or the provider still reads an entry that should
 * have expired. `idleMs` is the age of that entry.
 */
export function observeLifetime(
  before: ObservedLifetime | undefined,
  usage: Omit<Usage, 'output'>,
  rules: CacheRules,
  idleMs: number,
): ObservedLifetime | undefined {
  const { input, cacheRead, cacheWrite, cacheWriteLong } = usage
  if (rules.kind === 'none') return before
  const long = rules.kind === 'breakpoints' ? rules.longLifetimeMs : null
  if (long !== null && cacheWriteLong !== undefined && cacheWrite > 0)
    return { kind: 2 * cacheWriteLong >= cacheWrite ? 'long' : 'short' }
  const knownMs = before?.kind === 'at-least' ? before.ms : rules.lifetimeMs
  // Other sessions may keep the tools and the system prompt warm, but that is less than half of a prompt.
  if (idleMs <= knownMs || 2 * cacheRead < input) return before
  if (rules.kind === 'automatic') return { kind: 'at-least', ms: idleMs }
  return long !== null && idleMs <= long ? { kind: 'long' } : before
}

export function isSameLifetime(
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
  return { ...regimeOf(facts), lifetimeMs: lifetimeOf(facts.cache, observed) }
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
