import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import { modelFacts } from '../core/schedule/models/model-facts.ts'
import { type Regime, regimeOf, regimes } from '../core/schedule/regimes.ts'
import { createEpochReports } from '../replay/epoch-reports.ts'
import type { Work } from '../replay/work.ts'
import { roundedSums } from './receipt-totals.ts'
import { pricedByReceipt } from './request-points.ts'
import { createRequestPrices } from './request-prices.ts'
import type { SessionSource } from './session-source.ts'
import type { Money, MoneyRegime, WithAndWithout } from './types.ts'

/** What a session costs by request, with and without, under the prices of its own model and under every named regime. */
export function* moneyOf(
  source: SessionSource,
  { models }: { readonly models?: readonly ModelOverride[] | undefined } = {},
): Work<Money> {
  const own = regimeOf(modelFacts(source.recording.model, models))
  // A hook sees single outputs, so the cost of its requests is unknown.
  const isHook = source.receipts.some(({ door }) => door === 'hook')
  const prices = isHook ? [] : [own, ...regimes].map(createRequestPrices)
  const paid: WithAndWithout[] = []
  let measured = 0
  const epochs = createEpochReports(own)
  const priced = pricedByReceipt(source.receipts, models)
  const cache: Money['cache'][number][] = []
  const restored = { items: 0, tokens: 0 }
  for (const step of source.open().steps) {
    yield
    if (step.kind === 'items') {
      for (const item of step.items) {
        if (item.kind !== 'result' || !item.tool.endsWith('context_restore')) continue
        restored.items++
        restored.tokens += item.tokens
      }
      continue
    }
    epochs.after(step)
    for (const each of prices) {
      yield
      each.add(step)
    }
    const receipt = source.receiptOf(step.n)
    const known = receipt === null ? undefined : priced.get(receipt)
    const { input = null, dollars = null } = known ?? {}
    cache.push(input === null ? null : roundedSums(input))
    if (dollars !== null) measured++
    // The provider's usage takes precedence over the price table.
    paid.push(dollars ?? prices[0]?.requests.at(-1) ?? { with: 0, without: 0 })
  }
  return {
    regimes: prices.map((each, at) => moneyRegime(each.regime, at === 0 ? paid : each.requests)),
    own: own.name,
    measured,
    cache,
    epochs: epochs.all,
    restored: { ...restored, dollars: (restored.tokens * own.write * own.inputPrice) / 1_000_000 },
  }
}

function moneyRegime(regime: Regime, requests: readonly WithAndWithout[]): MoneyRegime {
  const { name, inputPrice, read, write, lifetimeMs } = regime
  const sum = (side: 'with' | 'without'): number =>
    requests.reduce((total, each) => total + each[side], 0)
  const dollars = { with: sum('with'), without: sum('without') }
  return { name, inputPrice, read, write, lifetimeMs, dollars, requests }
}
