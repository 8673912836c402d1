import '../../test/property-seed.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPrefixCost } from '../../src/core/schedule/cache-model.ts'
import { createPricer } from './price.ts'
import { scoredRegimes } from './regimes.ts'
import { prefixTokens } from './session.ts'

const minute = 60_000

describe('exact prefix caching', () => {
  it('reads the longest prefix used within the lifetime and writes the rest', () => {
    const pricer = createPricer()
    pricer.add([{ id: 1, tokens: 1_000 }], 0)
    pricer.add(
      [
        { id: 1, tokens: 1_000 },
        { id: 2, tokens: 500 },
      ],
      4 * minute,
    )
    // Eight minutes after the first, but the second refreshed it.
    pricer.add([{ id: 1, tokens: 1_000 }], 8 * minute)
    pricer.add([{ id: 1, tokens: 1_000 }], 20 * minute)
    const { cost, read, sent } = pricer.total()
    expect(sent).toBe(4 * prefixTokens + 4_500)
    expect(read[0]).toBe(2 * (prefixTokens + 1_000))
    expect(cost[0]).toBeCloseTo(2 * 19_000 * 0.1 + (2 * 19_000 + 500) * 1.25, 6)
    expect(read[1]).toBe(3 * 19_000)
    expect(cost.at(-1)).toBe(sent)
  })

  it('agrees with the pricing of the engine, which is written apart', () => {
    const request = fc.record({
      ids: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 }),
      gap: fc.integer({ min: 0, max: 12 * minute }),
    })
    fc.assert(
      fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
        const pricer = createPricer()
        const costs = scoredRegimes.map((regime) => createPrefixCost(regime))
        const sums = costs.map(() => 0)
        let at = 1_000_000
        for (const { ids, gap } of requests) {
          at += gap
          pricer.add(
            ids.map((id) => ({ id, tokens: 100 + id })),
            at,
          )
          const pieces = [
            { id: 'prefix', tokens: prefixTokens },
            ...ids.map((id) => ({ id: `${id}`, tokens: 100 + id })),
          ]
          for (const [index, cost] of costs.entries())
            sums[index] = (sums[index] ?? 0) + cost.price(pieces, at)
        }
        for (const [index, regime] of scoredRegimes.entries()) {
          const dollars = ((pricer.total().cost[index] ?? 0) * regime.inputPrice) / 1e6
          expect(dollars).toBeCloseTo(sums[index] ?? 0, 9)
        }
      }),
    )
  })
})
