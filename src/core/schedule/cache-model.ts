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
  /** Milliseconds since 1970; null counts as directly after the request before. */
  readonly at: number | null
}

/** How a request's input divides; the three add up to it. */
export interface CachePrediction {
  readonly read: number
  readonly written: number
  readonly uncached: number
}

/** What a provider says about the input of one answer. */
export interface CacheUsage {
  /** All of it, whatever came from the cache. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** The part of `cacheWrite` with the long lifetime, where the provider tells them apart. */
  readonly cacheWriteLong?: number
}

export interface SentRequest extends CachePrediction {
  /** Learns from the usage of its answer. */
  correct(usage: CacheUsage): void
}

/**
 * Follows what a provider keeps of one client's requests to one model: prefixes at breakpoints or at any place, from a
 * minimum length on, for a lifetime that starts again with each use. The usage of answers corrects it: how many real
 * tokens an estimated one is, how long entries live, how reliable the cache is, and whether the client caches at all.
 */
export interface CacheModel {
  /** What is to be expected of a request; changes nothing. */
  predict(request: CacheRequest): CachePrediction
  /** The same for one that goes out, and leaves its prefixes behind. */
  send(request: CacheRequest): SentRequest
  /** How long entries live, as far as it is known; null: there are none. */
  readonly lifetimeMs: number | null
  /** Real tokens for one estimated. */
  readonly factor: number
}

export interface CacheModelOptions {
  /** What stands before all pieces and is not among them, until answers tell. */
  readonly hiddenTokens?: number
  /** In the place of the model's own, and of what answers say. */
  readonly lifetimeMs?: number
}

interface Outlook {
  readonly pieces: readonly CachePiece[]
  readonly nowMs: number
  readonly estimatedTokens: number
  readonly totalTokens: number
  /** Where the request itself leaves entries. */
  readonly depths: readonly number[]
  readonly hit: CachedPrefix | null
  /** What should be read, if nothing goes wrong. */
  readonly expectedTokens: number
  /** The longest entry that would be read if it were not too old. */
  readonly expired: { readonly ageMs: number; readonly tokens: number } | null
}

/** How many tokens of perfect caching are assumed before answers outweigh the assumption. */
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
  /** Time since the first request, as far as it was told. */
  let elapsedMs = 0
  let toldAt: number | null = null
  /** What is read where no entry of our own is: the part that other sessions keep warm. */
  let sharedTokens: number | null = null
  /** The client asks for no caching at all. */
  let isUnused = false
  /** Of what should have been read, how much was: caches are best effort. */
  const trusted = { expected: priorTokens, found: priorTokens }

  function isAlive({ usedAt }: CachedPrefix, nowMs: number): boolean {
    return nowMs - usedAt <= (lifetimeMs ?? 0)
  }

  function outlook(request: CacheRequest): Outlook {
    const pieces = inReadingOrder(request.pieces)
    const sinceMs = request.at === null || toldAt === null ? 0 : request.at - toldAt
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
    // Nothing but what stands before the pieces, of which a miss has shown how much is kept.
    if (prefix.depth === 0 && sharedTokens !== null) return sharedTokens
    return scale.real(prefix.estimatedTokens)
  }

  function divided({ pieces, totalTokens, depths, hit, expectedTokens }: Outlook): CachePrediction {
    if (rules.kind === 'none' || depths.length === 0 || totalTokens < rules.minimumTokens)
      return { read: 0, written: 0, uncached: totalTokens }
    const share = hit === null ? 1 : trusted.found / trusted.expected
    const read = Math.round(share * expectedTokens)
    const behind = pieces.slice(depths.at(-1)).reduce((sum, { tokens }) => sum + tokens, 0)
    const uncached = Math.min(totalTokens - read, Math.round(scale.factor * behind))
    return { read, written: totalTokens - read - uncached, uncached }
  }

  function leave(sent: Outlook, at: number | null): void {
    elapsedMs = sent.nowMs
    if (at !== null) toldAt = Math.max(at, toldAt ?? at)
    for (const prefix of prefixes.along(sent.pieces)) {
      const isUsed = sent.hit !== null && prefix.depth <= sent.hit.depth
      if (isUsed && isAlive(prefix, sent.nowMs)) prefix.usedAt = sent.nowMs
    }
    if (lifetimeMs !== null)
      prefixes.forgetBefore(sent.nowMs - 2 * Math.max(lifetimeMs, longMs ?? 0))
    prefixes.keep(sent.pieces, sent.depths, sent.nowMs)
  }

  function correct(sent: Outlook, usage: CacheUsage): void {
    const { input, cacheRead, cacheWrite } = usage
    if (!isCount(input) || input === 0 || !isCount(cacheRead) || !isCount(cacheWrite)) return
    scale.observe(sent.estimatedTokens, input)
    if (rules.kind === 'none') return
    const slackTokens = Math.max(rules.minimumTokens, input / 20)
    const { hit } = sent
    // A prompt can be shorter than it looked, because the provider or the agent cleared something out of sight.
    const expected = Math.min(sent.expectedTokens, input)
    if (hit !== null) {
      trusted.expected += expected
      trusted.found += Math.min(expected, cacheRead)
    }
    const isMissed = cacheRead < expected - slackTokens
    // What this request has not written itself has gone cold too.
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

  function learnLifetime({ expired }: Outlook, usage: CacheUsage, slackTokens: number): void {
    const { cacheRead, cacheWrite, cacheWriteLong } = usage
    if (options.lifetimeMs !== undefined || lifetimeMs === null || rules.kind === 'none') return
    if (longMs !== null && cacheWriteLong !== undefined && cacheWrite > 0)
      lifetimeMs = 2 * cacheWriteLong >= cacheWrite ? longMs : rules.lifetimeMs
    // Read in full although it should have been gone.
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
    predict: (request) => divided(outlook(request)),
    send(request) {
      const sent = outlook(request)
      const prediction = divided(sent)
      leave(sent, request.at)
      return { ...prediction, correct: (usage) => correct(sent, usage) }
    },
  }
}

/** Prices requests under exact prefix caching: what an earlier request sent is read for as long as it lives. */
export interface PrefixCost {
  /** Dollars of one more request; `at` null counts as directly after the one before. */
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
