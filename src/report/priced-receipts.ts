import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import { dollarsOf, type Regime, regimeOf } from '../core/schedule/regimes.ts'
import type { StoredReceipt } from './request-receipt.ts'

/** Input tokens by the provider's count. */
export interface InputTokens {
  readonly read: number
  readonly written: number
  readonly uncached: number
}

export type MissCause =
  | 'first'
  | 'idle'
  | 'model'
  | 'rewritten by the client'
  | 'rewritten by an epoch'
  | 'unknown'

/** What the provider read from its cache, and why it was not all that had been sent before. */
export interface CacheOutcome {
  /** `part`: something was read from the cache, but less than was sent before. */
  readonly outcome: 'hit' | 'part' | 'miss'
  /** `first`: nothing was cached yet. null for a hit. */
  readonly cause: MissCause | null
  /** Milliseconds since the request before; null when unknown. */
  readonly idleMs: number | null
}

/** What a request cost and saved. */
export interface PricedReceipt {
  readonly receipt: StoredReceipt
  /** Tokens as they were sent, and as they would have been sent. By usage where there is usage, else estimated. */
  readonly tokens: { readonly with: number; readonly without: number } | null
  /** Dollars for the input; null without usage. `without` supposes the cache that the provider showed. */
  readonly dollars: { readonly with: number; readonly without: number } | null
  /** Dollars saved: by usage, or else by the estimate before the answer; null when unknown. */
  readonly savedDollars: number | null
  readonly basis: 'usage' | 'estimate' | null
  readonly input: InputTokens | null
  readonly cache: CacheOutcome | null
}

interface Before {
  readonly receipt: StoredReceipt
  readonly sentTokens: number
  readonly withoutTokens: number
}

/** The share of what was sent before that must be read from the cache to count as a hit, and as a part. */
const hitShare = 0.8
const partShare = 0.05
/** Test servers and some proxies report a constant; a tokenizer differs from our estimate by less than this factor. */
const mostFactor = 5

/**
 * Prices the requests of one session, in order. With usage, a request costs what the provider counted. What it would have
 * cost without us is the same request with what was left out, under the same behaviour of the cache: a miss that we caused
 * would have been a hit, and any other miss would have been one too.
 */
export function priceReceipts(
  receipts: readonly StoredReceipt[],
  models?: readonly ModelOverride[],
): readonly PricedReceipt[] {
  const lastByModel = new Map<string | null, Before>()
  let last: StoredReceipt | null = null
  return receipts.map((receipt) => {
    const before = lastByModel.get(receipt.model) ?? null
    const priced = priceReceipt(receipt, before, last, models)
    if (priced.input !== null && priced.tokens !== null) {
      const { with: sentTokens, without: withoutTokens } = priced.tokens
      lastByModel.set(receipt.model, { receipt, sentTokens, withoutTokens })
    }
    last = receipt
    return priced
  })
}

function priceReceipt(
  receipt: StoredReceipt,
  before: Before | null,
  last: StoredReceipt | null,
  models: readonly ModelOverride[] | undefined,
): PricedReceipt {
  const { usage, tokens } = receipt
  const saved = isRefused(receipt) ? null : receipt.saved
  const counted = usage === null ? 0 : usage.input + (usage.cleared ?? 0)
  const factor = tokens === null || tokens.after === 0 ? 0 : counted / tokens.after
  if (usage === null || tokens === null || factor > mostFactor || factor < 1 / mostFactor) {
    const estimated = tokens === null ? null : { with: tokens.after, without: tokens.before }
    const basis = saved === null ? null : 'estimate'
    const unpriced = {
      dollars: null,
      savedDollars: saved,
      basis,
      input: null,
      cache: null,
    } as const
    return { receipt, tokens: estimated, ...unpriced }
  }
  // In this order, so a request that was not shortened costs exactly the same.
  const sizes = { with: usage.input, without: counted * (tokens.before / tokens.after) }
  const read = Math.min(usage.cacheRead, usage.input)
  const written = Math.min(usage.cacheWrite, usage.input - read)
  const input = { read, written, uncached: usage.input - read - written }
  const regime = regimeOf(
    modelFacts(receipt.model, models),
    (usage.cacheWriteLong ?? 0) > 0 ? 'long' : 'short',
  )
  const cache = outcomeOf(receipt, before, last, regime)
  const isRewrittenByUs =
    cache.cause === 'rewritten by an epoch' ||
    (cache.outcome === 'hit' && receipt.opened !== null && receipt.opened !== 'rewritten')
  const dollars = {
    with: dollarsOf(regime, input),
    without: dollarsOf(regime, inputWithout(sizes.without, input, isRewrittenByUs, before)),
  }
  const savedDollars = dollars.without - dollars.with
  return { receipt, tokens: sizes, dollars, savedDollars, basis: 'usage', input, cache }
}

/** A request that the provider refused cost nothing, with or without us. */
export function isRefused({ status, usage }: Pick<StoredReceipt, 'status' | 'usage'>): boolean {
  return status !== null && status >= 400 && usage === null
}

/** What the provider would have read and written without us. */
function inputWithout(
  tokens: number,
  { read, written, uncached }: InputTokens,
  isRewrittenByUs: boolean,
  before: Before | null,
): InputTokens {
  const shared = before === null ? 0 : Math.min(before.withoutTokens, tokens)
  const sent = before === null ? 0 : before.sentTokens
  const share = isRewrittenByUs ? 1 : sent === 0 ? 0 : read / sent
  // Bytes that were read from the cache, such as the system prompt of an earlier session, would have been read too.
  const readWithout = Math.min(tokens, Math.max(read, shared * Math.min(1, share)))
  const rest = tokens - readWithout
  // A client that asks for no cache writes none, with or without us.
  const writtenShare = written + uncached === 0 ? 1 : written / (written + uncached)
  return { read: readWithout, written: rest * writtenShare, uncached: rest * (1 - writtenShare) }
}

function outcomeOf(
  receipt: StoredReceipt,
  before: Before | null,
  last: StoredReceipt | null,
  regime: Regime,
): CacheOutcome {
  const since = last?.at ?? null
  const idleMs = receipt.at === null || since === null ? null : Math.max(0, receipt.at - since)
  const read = receipt.usage?.cacheRead ?? 0
  const available = Math.min(before?.sentTokens ?? 0, receipt.usage?.input ?? 0)
  if (before !== null && available > 0 && read >= hitShare * available)
    return { outcome: 'hit', cause: null, idleMs }
  const outcome = before !== null && read >= partShare * available && read > 0 ? 'part' : 'miss'
  return { outcome, cause: causeOf(receipt, before, last, regime), idleMs }
}

function causeOf(
  receipt: StoredReceipt,
  before: Before | null,
  last: StoredReceipt | null,
  { lifetimeMs }: Regime,
): MissCause {
  if (last === null) return 'first'
  if (before === null) return last.model === receipt.model ? 'first' : 'model'
  const { at } = before.receipt
  const idle = receipt.at === null || at === null ? 0 : receipt.at - at
  if (lifetimeMs !== null && idle > lifetimeMs) return 'idle'
  const isChanged = ['edited', 'forked', 'shortened'].includes(receipt.relation ?? '')
  if (receipt.isPrefixChanged || isChanged || receipt.opened === 'rewritten')
    return 'rewritten by the client'
  if (receipt.opened !== null) return 'rewritten by an epoch'
  return 'unknown'
}
