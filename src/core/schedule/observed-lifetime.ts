import type { Usage } from '../words/item.ts'
import type { ObservedLifetime } from '../words/ledger.ts'
import type { ModelFacts } from './models/model-facts.ts'
import { type Regime, regimeOf } from './regimes.ts'

/**
 * What one more answer shows; `idleMs` is the time since the request before it. The client may ask for the long lifetime
 * and say so in what is written, or what should have been gone is read all the same.
 */
export function observeLifetime(
  before: ObservedLifetime | undefined,
  usage: Usage,
  { cache }: ModelFacts,
  idleMs: number,
): ObservedLifetime | undefined {
  const { input, cacheRead, cacheWrite, cacheWriteLong } = usage
  if (cache.kind === 'none') return before
  const long = cache.kind === 'breakpoints' ? cache.longLifetimeMs : null
  if (long !== null && cacheWriteLong !== undefined && cacheWrite > 0)
    return 2 * cacheWriteLong >= cacheWrite ? { kind: 'long' } : undefined
  const knownMs = before?.kind === 'at-least' ? before.ms : cache.lifetimeMs
  // Half of a prompt is more than the tools and the system prompt that other sessions keep warm.
  if (idleMs <= knownMs || 2 * cacheRead < input) return before
  if (cache.kind === 'automatic') return { kind: 'at-least', ms: idleMs }
  return long !== null && idleMs <= long ? { kind: 'long' } : before
}

export function isSameLifetime(
  one: ObservedLifetime | undefined,
  other: ObservedLifetime | undefined,
): boolean {
  const msOf = (each: typeof one): number | null => (each?.kind === 'at-least' ? each.ms : null)
  return one?.kind === other?.kind && msOf(one) === msOf(other)
}

/** The prices and the lifetime that hold for a model as its answers have shown it. */
export function observedRegime(facts: ModelFacts, observed: ObservedLifetime | undefined): Regime {
  if (observed === undefined) return regimeOf(facts)
  if (observed.kind === 'long') return regimeOf(facts, 'long')
  const regime = regimeOf(facts)
  return { ...regime, lifetimeMs: Math.max(regime.lifetimeMs ?? 0, observed.ms) }
}
