import type { Usage } from '../words/item.ts'
import type { ObservedLifetime } from '../words/ledger.ts'
import { isWarm, lifetimeOf, observeLifetime, RequestClock } from './cache-lifetime.ts'
import {
  type CachePiece,
  entryDepths,
  inReadingOrder,
  isInReach,
  keptTokens,
} from './cache-rules.ts'
import { type CachedPrefix, createCachedPrefixes, type PromptPiece } from './cached-prefixes.ts'
import type { ModelFacts } from './models/model-facts.ts'
import type { CacheRules } from './models/model-row.ts'
import { dollarsOf, type Regime } from './regimes.ts'
import { createTokenScale } from './token-scale.ts'

export interface CacheRequest {
  readonly pieces: readonly CachePiece[]
  /** Milliseconds since 1970; null means directly after the previous request. */
  readonly at: number | null
}

/** The input of a request, in three parts. */
export interface CachePrediction {
  readonly read: number
  readonly written: number
  readonly uncached: number
}

/** The input usage of one response. */
export type CacheUsage = Omit<Usage, 'output'>

export interface PredictedRequest extends CachePrediction {
  /** Corrects the model by the usage of the response. */
  correct(usage: CacheUsage): void
}

/**
 * Models what a provider caches of one client's requests to one model: prefixes at breakpoints or at any position, above
 * a minimum length, for a lifetime that restarts with each use. Usage corrects it: the ratio of real to estimated tokens,
 * the lifetime of entries, the reliability of the cache, and whether the client caches at all.
 */
export interface CacheModel {
  /** Predicts a request without sending it. */
  predict(request: CacheRequest): CachePrediction
  /** Predicts a request and adds its prefixes to the cache. */
  send(request: CacheRequest): PredictedRequest
  /** The lifetime of entries as far as it is known; null when nothing is cached. */
  readonly lifetimeMs: number | null
  /** Real tokens per estimated token. */
  readonly factor: number
}

export interface CacheModelOptions {
  /** The size of what precedes all pieces and is not among them, until usage shows it. */
  readonly hiddenTokens?: number
  /** Replaces the model's own lifetime, and is not corrected by usage. */
  readonly lifetimeMs?: number
}

interface Lookup {
  readonly pieces: readonly CachePiece[]
  readonly nowMs: number
  readonly estimatedTokens: number
  readonly totalTokens: number
  /** Where the request itself creates entries. */
  readonly depths: readonly number[]
  readonly hit: CachedPrefix | null
  /** What should be read from the cache. */
  readonly expectedTokens: number
  /** The age of the longest entry that would be read if it had not expired; 0 when there is none. */
  readonly expiredMs: number
}

/** The reliability of the cache starts from this many tokens of perfect caching. */
const priorTokens = 100_000

export function createCacheModel(
  facts: Pick<ModelFacts, 'cache'>,
  options: CacheModelOptions = {},
): CacheModel {
  const rules = facts.cache
  const prefixes = createCachedPrefixes()
  const scale = createTokenScale(options.hiddenTokens ?? 0)
  const clock = new RequestClock()
  /** The lifetime as far as usage has shown it. */
  let observed: ObservedLifetime | undefined
  /** What is read when this session has no entry: the part that other sessions keep warm. */
  let sharedTokens: number | null = null
  /** True when the client does not ask for caching. */
  let isUnused = false
  /** How much of what should have been read was read, because caches are best effort. */
  const reliability = { expected: priorTokens, found: priorTokens }

  function lifetime(): number | null {
    return rules.kind === 'none' ? null : (options.lifetimeMs ?? lifetimeOf(rules, observed))
  }

  function isAlive({ usedAt }: CachedPrefix, nowMs: number): boolean {
    return isWarm(nowMs - usedAt, lifetime())
  }

  function lookUp(request: CacheRequest): Lookup {
    const pieces = inReadingOrder(request.pieces)
    const nowMs = clock.elapsedAt(request.at)
    const estimatedTokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0)
    const totalTokens = scale.real(estimatedTokens)
    const depths = isUnused ? [] : entryDepths(rules, pieces)
    const found = prefixes.along(pieces).filter(({ depth }) => isInReach(rules, depth, depths))
    const hit = found.findLast((prefix) => isAlive(prefix, nowMs)) ?? null
    const old = found.findLast((prefix) => prefix.depth > 0 && !isAlive(prefix, nowMs))
    const held = hit === null ? (sharedTokens ?? 0) : realOf(hit)
    return {
      pieces,
      nowMs,
      estimatedTokens,
      totalTokens,
      depths,
      hit,
      expectedTokens: isUnused ? 0 : keptTokens(rules, Math.min(totalTokens, held)),
      expiredMs: old === undefined ? 0 : nowMs - old.usedAt,
    }
  }

  function realOf(prefix: CachedPrefix): number {
    if (prefix.realTokens !== null) return prefix.realTokens
    // The part before all pieces, whose cached size a miss has shown.
    if (prefix.depth === 0 && sharedTokens !== null) return sharedTokens
    return scale.real(prefix.estimatedTokens)
  }

  function predict({ pieces, totalTokens, depths, hit, expectedTokens }: Lookup): CachePrediction {
    if (rules.kind === 'none' || depths.length === 0 || totalTokens < rules.minimumTokens)
      return { read: 0, written: 0, uncached: totalTokens }
    const share = hit === null ? 1 : reliability.found / reliability.expected
    const read = Math.round(share * expectedTokens)
    const behind = pieces.slice(depths.at(-1)).reduce((sum, { tokens }) => sum + tokens, 0)
    const uncached = Math.min(totalTokens - read, Math.round(scale.factor * behind))
    return { read, written: totalTokens - read - uncached, uncached }
  }

  function addEntries(sent: Lookup, at: number | null): void {
    clock.send(at)
    for (const prefix of prefixes.along(sent.pieces)) {
      const isUsed = sent.hit !== null && prefix.depth <= sent.hit.depth
      if (isUsed && isAlive(prefix, sent.nowMs)) prefix.usedAt = sent.nowMs
    }
    const longestMs = Math.max(lifetime() ?? 0, lifetimeOf(rules, { kind: 'long' }) ?? 0)
    prefixes.forgetBefore(sent.nowMs - 2 * longestMs)
    prefixes.keep(sent.pieces, sent.depths, sent.nowMs)
  }

  function correct(sent: Lookup, usage: CacheUsage): void {
    const { input, cacheRead, cacheWrite } = usage
    if (!isCount(input) || input === 0 || !isCount(cacheRead) || !isCount(cacheWrite)) return
    scale.observe(sent.estimatedTokens, input)
    if (rules.kind === 'none') return
    const slackTokens = Math.max(rules.minimumTokens, input / 20)
    const { hit } = sent
    // The real prompt may be shorter, because the provider or the agent removed something that we do not see.
    const expected = Math.min(sent.expectedTokens, input)
    if (hit !== null) {
      reliability.expected += expected
      reliability.found += Math.min(expected, cacheRead)
    }
    const isMissed = cacheRead < expected - slackTokens
    // After a miss, everything that this request did not write itself counts as expired.
    if (isMissed) prefixes.forgetBefore(sent.nowMs)
    if (isMissed || hit === null || hit.depth === 0) sharedTokens = cacheRead
    if (rules.kind === 'breakpoints') {
      isUnused = cacheRead + cacheWrite === 0 && input >= rules.minimumTokens
      const own = prefixes.along(sent.pieces).filter(({ depth }) => sent.depths.includes(depth))
      const longest = own.at(-1)
      if (longest !== undefined && longest.depth > 0) longest.realTokens = cacheRead + cacheWrite
      if (isUnused) for (const prefix of own) prefix.usedAt = Number.NEGATIVE_INFINITY
    }
    observed = observeLifetime(observed, usage, rules, sent.expiredMs)
  }

  return {
    get lifetimeMs(): number | null {
      return lifetime()
    },
    get factor(): number {
      return scale.factor
    },
    predict: (request) => predict(lookUp(request)),
    send(request) {
      const sent = lookUp(request)
      const prediction = predict(sent)
      addEntries(sent, request.at)
      return { ...prediction, correct: (usage) => correct(sent, usage) }
    },
  }
}

/** Prices requests under exact prefix caching: every prefix of an earlier request is cached for the regime's lifetime. */
export interface PrefixCost {
  /** The price of the next request in dollars; `at: null` means directly after the previous one. */
  price(pieces: readonly PromptPiece[], at: number | null): number
}

export function createPrefixCost(regime: Regime): PrefixCost {
  const { lifetimeMs } = regime
  const cache: CacheRules =
    lifetimeMs === null
      ? { kind: 'none' }
      : { kind: 'automatic', stepTokens: 1, minimumTokens: 0, lifetimeMs }
  const model = createCacheModel({ cache })
  return { price: (pieces, at) => dollarsOf(regime, model.send({ pieces, at })) }
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}
