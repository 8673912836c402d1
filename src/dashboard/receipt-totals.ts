import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import type { PricedReceipt } from '../report/priced-receipts.ts'
import type { Billing } from '../report/request-receipt.ts'
import type { CacheSums, Totals } from './types.ts'

/** Adds up priced receipts. */
export interface TotalsCounter {
  add(priced: PricedReceipt, session: string): void
  totals(): Totals
}

export function createTotals(models?: readonly ModelOverride[]): TotalsCounter {
  const sessions = new Set<string>()
  const tokens = { with: 0, without: 0 }
  const cache = { read: 0, written: 0, uncached: 0 }
  const shares = createLimitShares(models)
  const billing = { tokens: 0, subscription: 0 }
  let limits: Totals['limits'] = null
  let requests = 0
  let outputs = 0
  let saved: number | null = null
  let measured = 0
  let spent: number | null = null
  let output = 0
  let hasUsage = false
  let restored = 0
  let bypassed = 0
  let failed = 0
  return {
    add({ receipt, tokens: sizes, savedDollars, dollars, input, basis }, session) {
      sessions.add(session)
      tokens.with += sizes?.with ?? 0
      tokens.without += sizes?.without ?? 0
      if (receipt.door === 'hook') {
        outputs++
        return
      }
      requests++
      if (savedDollars !== null) saved = (saved ?? 0) + savedDollars
      if (basis === 'usage') measured++
      if (dollars !== null) spent = (spent ?? 0) + dollars.with
      output += receipt.usage?.output ?? 0
      if (input !== null) {
        hasUsage = true
        for (const part of ['read', 'written', 'uncached'] as const) cache[part] += input[part]
      }
      shares.add(receipt.model, sizes)
      if (receipt.billing !== null) billing[receipt.billing]++
      limits = receipt.limits ?? limits
      restored += Object.values(receipt.restored).reduce((sum, count) => sum + count, 0)
      if (receipt.bypass !== null) bypassed++
      if (receipt.error !== null || (receipt.status ?? 200) >= 400) failed++
    },
    totals: () => ({
      requests,
      outputs,
      sessions: sessions.size,
      tokens: { with: Math.round(tokens.with), without: Math.round(tokens.without) },
      savedDollars: saved,
      spentDollars: spent,
      outputTokens: output,
      cache: hasUsage ? roundedSums(cache) : null,
      limitShare: shares.mean(),
      restored,
      bypassed,
      failed,
      billing: billingOf(billing),
      measured,
      limits,
    }),
  }
}

/** The share of the model's context limit that requests fill, on average. */
function createLimitShares(models: readonly ModelOverride[] | undefined): {
  add(model: string | null, sizes: PricedReceipt['tokens']): void
  mean(): Totals['limitShare']
} {
  const sum = { with: 0, without: 0 }
  let count = 0
  return {
    add(model, sizes) {
      const { contextLimit } = modelFacts(model, models)
      if (sizes === null || contextLimit === null) return
      sum.with += sizes.with / contextLimit
      sum.without += sizes.without / contextLimit
      count++
    },
    mean: () => (count === 0 ? null : { with: sum.with / count, without: sum.without / count }),
  }
}

export function roundedSums({ read, written, uncached }: CacheSums): CacheSums {
  return { read: Math.round(read), written: Math.round(written), uncached: Math.round(uncached) }
}

function billingOf(counts: Readonly<Record<Billing, number>>): Totals['billing'] {
  if (counts.tokens > 0 && counts.subscription > 0) return 'both'
  if (counts.tokens > 0) return 'tokens'
  return counts.subscription > 0 ? 'subscription' : null
}
