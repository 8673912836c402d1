import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import { regimeFor } from '../core/schedule/regimes.ts'
import type { Operation } from '../core/words/operation.ts'
import { createEpochReports } from '../replay/epoch-reports.ts'
import { createPieces } from '../replay/prompt-pieces.ts'
import type { ReplayedRequest, Shown } from '../replay/replay.ts'
import { type PricedReceipt, priceReceipts } from '../report/priced-receipts.ts'
import type { StoredReceipt } from '../report/request-receipt.ts'
import { contextKindOf, createKindSums } from './context-kind.ts'
import { createRequestPrices } from './request-prices.ts'
import type { SessionSource } from './session-source.ts'
import type { EpochPoint, RequestPoint } from './types.ts'

/** Follows the requests of a session and describes each for the chart. */
export interface RequestPoints {
  add(request: ReplayedRequest): void
  list(): readonly RequestPoint[]
}

export function createRequestPoints(
  source: SessionSource,
  operations: ReadonlyMap<number, Operation>,
  models: readonly ModelOverride[] | undefined,
): RequestPoints {
  const regime = regimeFor(source.recording.model, models)
  const epochs = createEpochReports(regime)
  const prices = createRequestPrices(regime)
  const priced = pricedByReceipt(source.receipts, models)
  const pieceOf = createPieces()
  const tokensOf = (shown: Shown): number => pieceOf(shown).tokens
  const points: RequestPoint[] = []
  return {
    add(request) {
      epochs.after(request)
      prices.add(request)
      const { n, at, model } = request
      const receipt = source.receiptOf(n)
      const last = epochs.all.at(-1)
      const point = sizesOf(request, receipt, { operations, tokensOf })
      const cost = prices.requests.at(-1)
      const known = receipt === null ? undefined : priced.get(receipt)
      const usage = receipt?.usage ?? null
      points.push({
        n,
        at,
        model,
        contextLimit: modelFacts(model, models).contextLimit,
        ...point,
        usage: usage === null ? null : usageOf(usage),
        cache: known?.cache ?? null,
        epoch: last?.request === n ? epochPoint(last) : null,
        savedDollars:
          known?.savedDollars ??
          (cost === undefined || receipt?.door === 'hook' ? null : cost.without - cost.with),
        bypass: receipt?.bypass ?? null,
        restored: Object.values(receipt?.restored ?? {}).reduce((sum, count) => sum + count, 0),
        status: receipt?.status ?? null,
      })
    },
    list: () => points,
  }
}

export function pricedByReceipt(
  receipts: readonly StoredReceipt[],
  models: readonly ModelOverride[] | undefined,
): ReadonlyMap<StoredReceipt, PricedReceipt> {
  return new Map(priceReceipts(receipts, models).map((each) => [each.receipt, each]))
}

interface Sizing {
  readonly operations: ReadonlyMap<number, Operation>
  tokensOf(shown: Shown): number
}

function sizesOf(
  { view, unchanged }: ReplayedRequest,
  receipt: StoredReceipt | null,
  { operations, tokensOf }: Sizing,
): Pick<RequestPoint, 'shown' | 'removed' | 'tokens'> {
  const shown = createKindSums()
  const removed = createKindSums()
  const sent = new Map(view.map((each) => [each.item.index, tokensOf(each)]))
  const sums = { with: 0, without: 0 }
  for (const { item, rendition } of unchanged) {
    const kind = contextKindOf(item, operations)
    const whole = tokensOf({ item, rendition })
    const tokens = sent.get(item.index) ?? 0
    shown.add(kind, tokens)
    removed.add(kind, whole - tokens)
    sums.with += tokens
    sums.without += whole
  }
  const { prefix = null, tokens = null } = receipt ?? {}
  // Older receipts have only the sum of both, which is what the messages do not explain.
  const rest = tokens === null ? 0 : Math.max(0, tokens.before - sums.without)
  const { system, tools } = prefix ?? { system: rest, tools: 0 }
  shown.add('system', system)
  shown.add('tools', tools)
  const both = system + tools
  return {
    shown: shown.list(),
    removed: removed.list(),
    tokens: { with: sums.with + both, without: sums.without + both },
  }
}

function usageOf({
  input,
  output,
  cacheRead,
  cacheWrite,
}: NonNullable<StoredReceipt['usage']>): RequestPoint['usage'] {
  return { input, output, cacheRead, cacheWrite }
}

function epochPoint({
  reason,
  removedTokens,
  rewrittenTokens,
  dollars,
  paysBackAfter,
}: EpochPoint): EpochPoint {
  return { reason, removedTokens, rewrittenTokens, dollars, paysBackAfter }
}
