import { describe, expect, it } from 'vitest'
import { createItemSizes, type ItemSizes } from '../record/item-sizes.ts'
import type { RenditionProposal } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import { createBank } from './bank.ts'
import { bestOpening, type GateView, savedAt } from './gate.ts'
import { Pending } from './pending.ts'
import { noPromptRules } from './prompt-rules.ts'
import { findRegime, type Regime } from './regimes.ts'

const regime = (name: string): Regime => findRegime(name) as Regime

function sizesOf(...sizes: readonly number[]): ItemSizes {
  const itemSizes = createItemSizes()
  for (const [item, size] of sizes.entries()) itemSizes.push(item, size)
  return itemSizes
}

/** Each of the items would be shown in ten characters. */
function pendingAt(sizes: ItemSizes, ...items: readonly number[]): Pending {
  return pendingWith(sizes, 0, items)
}

function pendingWith(sizes: ItemSizes, need: number, items: readonly number[]): Pending {
  const pending = new Pending(sizes)
  for (const index of items) {
    const proposal: RenditionProposal = {
      kind: 'show',
      item: { index } as Item,
      by: null,
      reason: 'output',
      strategy: 'test',
      rendition: { how: 'truncated', text: '0123456789' },
      need,
    }
    pending.untilEpoch(proposal, 1)
  }
  return pending
}

function viewOf(sizes: ItemSizes, pending: Pending, options: Partial<GateView> = {}): GateView {
  const cached = { original: sizes.length, shown: sizes.length }
  return {
    sizes,
    pending,
    regimes: [regime('anthropic-5m')],
    priced: 1,
    bank: createBank([1_000_000]),
    cached: [cached],
    cachedByOthers: [[]],
    prompt: noPromptRules,
    floor: { shown: 0, original: 0 },
    horizon: 10,
    ...options,
  }
}

describe('the gate', () => {
  it('cuts at the tail, where little stands behind a large result', () => {
    const sizes = sizesOf(50_000, 20_000, 300)
    expect(bestOpening(viewOf(sizes, pendingAt(sizes, 1)))).toEqual({
      from: 1,
      removed: 19_990,
      rewritten: 20_300,
    })
  })

  it('counts what would be fetched back', () => {
    const sizes = sizesOf(50_000, 20_000, 300)
    const opens = (need: number): boolean =>
      bestOpening(viewOf(sizes, pendingWith(sizes, need, [1]))) !== null
    // The cut is worth 16,150 without a fetch; a fetch costs 0.1 × 70,300 + (1.25 + 10 × 0.1) × 20,000 = 52,030.
    expect([0, 0.3, 0.32, 0.9].map(opens)).toEqual([true, true, false, false])
  })

  it('leaves an old result that would have everything behind it written again', () => {
    const sizes = sizesOf(20_000, 200_000)
    expect(bestOpening(viewOf(sizes, pendingAt(sizes, 0)))).toBeNull()
  })

  it('takes an old result along when one behind it pays for both, and not when it does not', () => {
    const near = sizesOf(8_000, 500, 60_000)
    expect(bestOpening(viewOf(near, pendingAt(near, 0, 2)))?.from).toBe(0)
    const far = sizesOf(500, 200_000, 60_000)
    expect(bestOpening(viewOf(far, pendingAt(far, 0, 2)))?.from).toBe(2)
  })

  it('spends only what was saved before', () => {
    const sizes = sizesOf(50_000, 20_000, 9_000)
    const pending = pendingAt(sizes, 1)
    const horizon = 30
    expect(bestOpening(viewOf(sizes, pending, { horizon, bank: createBank([0]) }))).toBeNull()
    expect(bestOpening(viewOf(sizes, pending, { horizon }))?.from).toBe(1)
  })

  it('keeps enough to come back to another model whose cache is warm', () => {
    const sizes = sizesOf(50_000, 20_000, 300)
    const pending = pendingAt(sizes, 1)
    const cold = { cached: [{ original: 0, shown: 0 }], bank: createBank([0]) }
    expect(bestOpening(viewOf(sizes, pending, cold))?.from).toBe(1)
    const others = [{ original: 3, shown: 3 }]
    expect(
      bestOpening(
        viewOf(sizesOf(50_000, 20_000, 99_000), pending, { ...cold, cachedByOthers: [others] }),
      ),
    ).toBeNull()
  })

  it('must pay under all prices that may hold', () => {
    const sizes = sizesOf(50_000, 20_000, 4_000)
    const pending = pendingAt(sizes, 1)
    const cached = [1, 2].map(() => ({ original: 3, shown: 3 }))
    const both = {
      horizon: 30,
      regimes: [regime('openai'), regime('deepseek-v4')],
      cached,
      cachedByOthers: [[], []],
    }
    const banks = { rich: createBank([1e6, 1e6]), poor: createBank([1e6, 0]) }
    expect(bestOpening(viewOf(sizes, pending, { ...both, bank: banks.rich }))?.from).toBe(1)
    expect(bestOpening(viewOf(sizes, pending, { ...both, bank: banks.poor }))).toBeNull()
  })

  it('counts everything as lost where the cache is looked for near the end only', () => {
    const sizes = sizesOf(90_000, 20_000, ...Array.from({ length: 30 }, () => 10))
    const near = { ...regime('anthropic-5m'), lookbackItems: 20 }
    const opening = bestOpening(viewOf(sizes, pendingAt(sizes, 1)))
    expect(opening?.rewritten).toBe(20_300)
    expect(bestOpening(viewOf(sizes, pendingAt(sizes, 1), { regimes: [near] }))).toBeNull()
  })

  it('books what a request costs less than without us', () => {
    const sizes = sizesOf(1_000, 1_000)
    sizes.show(1, 100)
    const view = viewOf(sizes, new Pending(sizes), { cached: [{ original: 1, shown: 1 }] })
    expect(savedAt(0, view, null)).toBeCloseTo(1.25 * 900)
    expect(savedAt(0, view, { from: 0, removed: 0 })).toBeCloseTo(1.25 * 900 - 1.15 * 1_000)
  })
})
