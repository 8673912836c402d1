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
export interface CacheUsage {
  /** The whole input, cached or not. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** The part of `cacheWrite` with the long lifetime, where the provider reports it. */
  readonly cacheWriteLong?: number
}

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
  /** The longest entry that would be read if it had not expired. */
  readonly expired: { readonly ageMs: number; readonly tokens: number } | null
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
  const longMs = rules.kind === 'breakpoints' ? rules.longLifetimeMs : null
  let lifetimeMs = rules.kind === 'none' ? null : (options.lifetimeMs ?? rules.lifetimeMs)
  /** Time since the first request, as far as requests have a time. */
  let elapsedMs = 0
  let lastAt: number | null = null
  /** What is read when this session has no entry: the part that other sessions keep warm. */
  let sharedTokens: number | null = null
  /** True when the client does not ask for caching. */
  let isUnused = false
  /** How much of what should have been read was read, because caches are best effort. */
  const reliability = { expected: priorTokens, found: priorTokens }

  function isAlive({ usedAt }: CachedPrefix, nowMs: number): boolean {
    return nowMs - usedAt <= (lifetimeMs ?? 0)
  }

  function lookUp(request: CacheRequest): Lookup {
    const pieces = inReadingOrder(request.pieces)
    const sinceMs = request.at === null || lastAt === null ? 0 : request.at - lastAt
    const nowMs = elapsedMs + Math.max(0, sinceMs)
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
      expired: old === undefined ? null : { ageMs: nowMs - old.usedAt, tokens: realOf(old) },
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
    elapsedMs = sent.nowMs
    if (at !== null) lastAt = Math.max(at, lastAt ?? at)
    for (const prefix of prefixes.along(sent.pieces)) {
      const isUsed = sent.hit !== null && prefix.depth <= sent.hit.depth
      if (isUsed && isAlive(prefix, sent.nowMs)) prefix.usedAt = sent.nowMs
    }
    if (lifetimeMs !== null)
      prefixes.forgetBefore(sent.nowMs - 2 * Math.max(lifetimeMs, longMs ?? 0))
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
    learnLifetime(sent, usage, slackTokens)
  }

  function learnLifetime({ expired }: Lookup, usage: CacheUsage, slackTokens: number): void {
    const { cacheRead, cacheWrite, cacheWriteLong } = usage
    if (options.lifetimeMs !== undefined || lifetimeMs === null || rules.kind === 'none') return
    if (longMs !== null && cacheWriteLong !== undefined && cacheWrite > 0)
      lifetimeMs = 2 * cacheWriteLong >= cacheWrite ? longMs : rules.lifetimeMs
    // An entry that should have expired was read in full.
    if (expired === null || expired.ageMs <= lifetimeMs) return
    if (cacheRead < slackTokens || Math.abs(cacheRead - expired.tokens) > slackTokens) return
    lifetimeMs = longMs !== null && expired.ageMs <= longMs ? longMs : expired.ageMs
  }

  return {
    get lifetimeMs(): number | null {
      return lifetimeMs
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
