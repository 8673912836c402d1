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
import { createTokenScale, type TokenScale } from './token-scale.ts'

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
  return new LearningCacheModel(facts.cache, options)
}

class LearningCacheModel implements CacheModel {
  readonly #rules: CacheRules
  readonly #options: CacheModelOptions
  readonly #prefixes = createCachedPrefixes()
  readonly #scale: TokenScale
  readonly #clock = new RequestClock()
  /** The lifetime as far as usage has shown it. */
  #observed: ObservedLifetime | undefined
  /** What is read when this session has no entry: the part that other sessions keep warm. */
  #sharedTokens: number | null = null
  /** True when the client does not ask for caching. */
  #isUnused = false
  /** How much of what should have been read was read, because caches are best effort. */
  readonly #reliability = { expected: priorTokens, found: priorTokens }

  constructor(rules: CacheRules, options: CacheModelOptions) {
    this.#rules = rules
    this.#options = options
    this.#scale = createTokenScale(options.hiddenTokens ?? 0)
  }

  get lifetimeMs(): number | null {
    if (this.#rules.kind === 'none') return null
    return this.#options.lifetimeMs ?? lifetimeOf(this.#rules, this.#observed)
  }

  get factor(): number {
    return this.#scale.factor
  }

  predict(request: CacheRequest): CachePrediction {
    return this.#predictionOf(this.#lookUp(request))
  }

  send(request: CacheRequest): PredictedRequest {
    const sent = this.#lookUp(request)
    const prediction = this.#predictionOf(sent)
    this.#addEntries(sent, request.at)
    return { ...prediction, correct: (usage) => this.#correct(sent, usage) }
  }

  #isAlive({ usedAt }: CachedPrefix, nowMs: number): boolean {
    return isWarm(nowMs - usedAt, this.lifetimeMs)
  }

  #lookUp(request: CacheRequest): Lookup {
    const pieces = inReadingOrder(request.pieces)
    const nowMs = this.#clock.elapsedAt(request.at)
    const estimatedTokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0)
    const totalTokens = this.#scale.real(estimatedTokens)
    const depths = this.#isUnused ? [] : entryDepths(this.#rules, pieces)
    const found = this.#prefixes
      .along(pieces)
      .filter(({ depth }) => isInReach(this.#rules, depth, depths))
    const hit = found.findLast((prefix) => this.#isAlive(prefix, nowMs)) ?? null
    const old = found.findLast((prefix) => prefix.depth > 0 && !this.#isAlive(prefix, nowMs))
    const held = hit === null ? (this.#sharedTokens ?? 0) : this.#realOf(hit)
    return {
      pieces,
      nowMs,
      estimatedTokens,
      totalTokens,
      depths,
      hit,
      expectedTokens: this.#isUnused ? 0 : keptTokens(this.#rules, Math.min(totalTokens, held)),
      expiredMs: old === undefined ? 0 : nowMs - old.usedAt,
    }
  }

  #realOf(prefix: CachedPrefix): number {
    if (prefix.realTokens !== null) return prefix.realTokens
    // The part before all pieces, whose cached size a miss has shown.
    if (prefix.depth === 0 && this.#sharedTokens !== null) return this.#sharedTokens
    return this.#scale.real(prefix.estimatedTokens)
  }

  #predictionOf({ pieces, totalTokens, depths, hit, expectedTokens }: Lookup): CachePrediction {
    if (
      this.#rules.kind === 'none' ||
      depths.length === 0 ||
      totalTokens < this.#rules.minimumTokens
    )
      return { read: 0, written: 0, uncached: totalTokens }
    const share = hit === null ? 1 : this.#reliability.found / this.#reliability.expected
    const read = Math.round(share * expectedTokens)
    const behind = pieces.slice(depths.at(-1)).reduce((sum, { tokens }) => sum + tokens, 0)
    const uncached = Math.min(totalTokens - read, Math.round(this.#scale.factor * behind))
    return { read, written: totalTokens - read - uncached, uncached }
  }

  #addEntries(sent: Lookup, at: number | null): void {
    this.#clock.send(at)
    for (const prefix of this.#prefixes.along(sent.pieces)) {
      const isUsed = sent.hit !== null && prefix.depth <= sent.hit.depth
      if (isUsed && this.#isAlive(prefix, sent.nowMs)) prefix.usedAt = sent.nowMs
    }
    const longestMs = Math.max(this.lifetimeMs ?? 0, lifetimeOf(this.#rules, { kind: 'long' }) ?? 0)
    this.#prefixes.forgetBefore(sent.nowMs - 2 * longestMs)
    this.#prefixes.keep(sent.pieces, sent.depths, sent.nowMs)
  }

  #correct(sent: Lookup, usage: CacheUsage): void {
    const { input, cacheRead, cacheWrite } = usage
    if (!isCount(input) || input === 0 || !isCount(cacheRead) || !isCount(cacheWrite)) return
    this.#scale.observe(sent.estimatedTokens, input)
    if (this.#rules.kind === 'none') return
    const slackTokens = Math.max(this.#rules.minimumTokens, input / 20)
    const { hit } = sent
    // The real prompt may be shorter, because the provider or the agent removed something that we do not see.
    const expected = Math.min(sent.expectedTokens, input)
    if (hit !== null) {
      this.#reliability.expected += expected
      this.#reliability.found += Math.min(expected, cacheRead)
    }
    const isMissed = cacheRead < expected - slackTokens
    // After a miss, everything that this request did not write itself counts as expired.
    if (isMissed) this.#prefixes.forgetBefore(sent.nowMs)
    if (isMissed || hit === null || hit.depth === 0) this.#sharedTokens = cacheRead
    if (this.#rules.kind === 'breakpoints') {
      this.#isUnused = cacheRead + cacheWrite === 0 && input >= this.#rules.minimumTokens
      const own = this.#prefixes
        .along(sent.pieces)
        .filter(({ depth }) => sent.depths.includes(depth))
      const longest = own.at(-1)
      if (longest !== undefined && longest.depth > 0) longest.realTokens = cacheRead + cacheWrite
      if (this.#isUnused) for (const prefix of own) prefix.usedAt = Number.NEGATIVE_INFINITY
    }
    this.#observed = observeLifetime(this.#observed, usage, this.#rules, sent.expiredMs)
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
