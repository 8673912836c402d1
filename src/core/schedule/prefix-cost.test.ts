import { describe, expect, it } from 'vitest'
import { createPrefixCost } from './cache-model.ts'
import { findRegime, type Regime } from './regimes.ts'

const regime = (name: string): Regime => findRegime(name) as Regime
const pieces = (...sizes: number[]): { id: string; tokens: number }[] =>
  sizes.map((tokens, id) => ({ id: `${id}`, tokens }))
const minute = 60_000

describe('the price of a session', () => {
  it('reads what the request before left behind, and writes the rest', () => {
    const cost = createPrefixCost(regime('anthropic-5m'))
    expect(cost.price(pieces(1_000_000), 0)).toBeCloseTo(3.75)
    expect(cost.price(pieces(1_000_000, 1_000_000), minute)).toBeCloseTo(0.3 + 3.75)
  })

  it('writes everything again once the lifetime has passed without use', () => {
    const cost = createPrefixCost(regime('anthropic-5m'))
    cost.price(pieces(1_000_000), 0)
    expect(cost.price(pieces(1_000_000), 4 * minute)).toBeCloseTo(0.3)
    expect(cost.price(pieces(1_000_000), 8 * minute)).toBeCloseTo(0.3)
    expect(cost.price(pieces(1_000_000), 14 * minute)).toBeCloseTo(3.75)
  })

  it('pays for all that follows a changed piece', () => {
    const cost = createPrefixCost(regime('anthropic-5m'))
    cost.price(pieces(1_000_000, 1_000_000, 1_000_000), 0)
    const changed = [
      { id: '0', tokens: 1_000_000 },
      { id: 'another', tokens: 10 },
      { id: '2', tokens: 1_000_000 },
    ]
    expect(cost.price(changed, 0)).toBeCloseTo(0.3 + 3.75, 3)
  })

  it('knows no cache where there is none, and counts a missing time as warm', () => {
    const uncached = createPrefixCost(regime('no-cache'))
    expect([0, 0].map((at) => uncached.price(pieces(1_000_000), at))).toEqual([3, 3])
    const warm = createPrefixCost(regime('opus-5.5'))
    warm.price(pieces(1_000_000), null)
    expect(warm.price(pieces(1_000_000), null)).toBeCloseTo(0.2)
  })
})
