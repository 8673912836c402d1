import { describe, expect, it } from 'vitest'
import { createPage, type Page } from '../record/page.ts'
import type { RenditionProposal } from '../words/decision.ts'
import type { Item } from '../words/item.ts'
import { createBank } from './bank.ts'
import { bestOpening, type GateView, savedAt } from './gate.ts'
import { Pending } from './pending.ts'
import { findRegime, type Regime } from './regimes.ts'

const regime = (name: string): Regime => findRegime(name) as Regime

function pageOf(...sizes: readonly number[]): Page {
  const page = createPage()
  for (const [item, size] of sizes.entries()) page.push(item, size)
  return page
}

/** Each of the items would be shown in ten characters. */
function pendingAt(page: Page, ...items: readonly number[]): Pending {
  return pendingWith(page, 0, items)
}

function pendingWith(page: Page, need: number, items: readonly number[]): Pending {
  const pending = new Pending(page)
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

function viewOf(page: Page, pending: Pending, options: Partial<GateView> = {}): GateView {
  const cached = { original: page.length, shown: page.length }
  return {
    page,
    pending,
    regimes: [regime('anthropic-5m')],
    bank: createBank([1_000_000]),
    cached: [cached],
    cachedByOthers: [[]],
    horizon: 10,
    ...options,
  }
}

describe('the gate', () => {
  it('cuts at the tail, where little stands behind a large result', () => {
    const page = pageOf(50_000, 20_000, 300)
    expect(bestOpening(viewOf(page, pendingAt(page, 1)))).toEqual({
      from: 1,
      removed: 19_990,
      rewritten: 20_300,
    })
  })

  it('counts what would be fetched back', () => {
    const page = pageOf(50_000, 20_000, 300)
    const opens = (need: number): boolean =>
      bestOpening(viewOf(page, pendingWith(page, need, [1]))) !== null
    expect([0, 0.1, 0.3, 0.9].map(opens)).toEqual([true, true, false, false])
  })

  it('leaves an old result that would have everything behind it written again', () => {
    const page = pageOf(20_000, 200_000)
    expect(bestOpening(viewOf(page, pendingAt(page, 0)))).toBeNull()
  })

  it('takes an old result along when one behind it pays for both, and not when it does not', () => {
    const near = pageOf(8_000, 500, 60_000)
    expect(bestOpening(viewOf(near, pendingAt(near, 0, 2)))?.from).toBe(0)
    const far = pageOf(500, 200_000, 60_000)
    expect(bestOpening(viewOf(far, pendingAt(far, 0, 2)))?.from).toBe(2)
  })

  it('spends only what was saved before', () => {
    const page = pageOf(50_000, 20_000, 9_000)
    const pending = pendingAt(page, 1)
    const horizon = 30
    expect(bestOpening(viewOf(page, pending, { horizon, bank: createBank([0]) }))).toBeNull()
    expect(bestOpening(viewOf(page, pending, { horizon }))?.from).toBe(1)
  })

  it('keeps enough to come back to another model whose cache is warm', () => {
    const page = pageOf(50_000, 20_000, 300)
    const pending = pendingAt(page, 1)
    const cold = { cached: [{ original: 0, shown: 0 }], bank: createBank([0]) }
    expect(bestOpening(viewOf(page, pending, cold))?.from).toBe(1)
    const others = [{ original: 3, shown: 3 }]
    expect(
      bestOpening(
        viewOf(pageOf(50_000, 20_000, 99_000), pending, { ...cold, cachedByOthers: [others] }),
      ),
    ).toBeNull()
  })

  it('must pay under all prices that may hold', () => {
    const page = pageOf(50_000, 20_000, 4_000)
    const pending = pendingAt(page, 1)
    const cached = [1, 2].map(() => ({ original: 3, shown: 3 }))
    const both = {
      horizon: 30,
      regimes: [regime('openai'), regime('deepseek-v4')],
      cached,
      cachedByOthers: [[], []],
    }
    const banks = { rich: createBank([1e6, 1e6]), poor: createBank([1e6, 0]) }
    expect(bestOpening(viewOf(page, pending, { ...both, bank: banks.rich }))?.from).toBe(1)
    expect(bestOpening(viewOf(page, pending, { ...both, bank: banks.poor }))).toBeNull()
  })

  it('counts everything as lost where the cache is looked for near the end only', () => {
    const sizes = [90_000, 20_000, ...Array.from({ length: 30 }, () => 10)]
    const page = pageOf(...sizes)
    const near = { ...regime('anthropic-5m'), lookbackItems: 20 }
    const opening = bestOpening(viewOf(page, pendingAt(page, 1)))
    expect(opening?.rewritten).toBe(20_300)
    expect(bestOpening(viewOf(page, pendingAt(page, 1), { regimes: [near] }))).toBeNull()
  })

  it('books what a request costs less than without us', () => {
    const page = pageOf(1_000, 1_000)
    page.show(1, 100)
    const view = viewOf(page, new Pending(page), { cached: [{ original: 1, shown: 1 }] })
    expect(savedAt(0, view, null)).toBeCloseTo(1.25 * 900)
    expect(savedAt(0, view, { from: 0, removed: 0 })).toBeCloseTo(1.25 * 900 - 1.15 * 1_000)
  })
})
