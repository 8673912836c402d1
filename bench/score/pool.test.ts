import { describe, expect, it } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import { type LimitName, limitsOf } from './limits.ts'
import { plantSession } from './planted/planted-session.ts'
import { poolScores, type ScoredPair } from './pool.ts'
import { scoreSession } from './score.ts'
import { benchSession, engineTrace } from './sources.ts'

const session = (seed: number): ReturnType<typeof benchSession> => {
  const { recording } = plantSession({ seed, steps: 60 })
  return benchSession({ name: `planted ${seed}`, file: 'planted', ordinal: 0, recording })
}
const sessions = [21, 22, 23].map(session)

describe('pooling sessions', () => {
  const none = sessions.map(({ unpruned, needs }) => scoreSession(unpruned, unpruned, needs))
  const withCost = (factors: readonly number[]): readonly ScoredPair[] =>
    none.map((score, index) => {
      const cost = score.price.cost.map((each) => each * (factors[index] ?? 1))
      return { none: score, score: { ...score, price: { ...score.price, cost } } }
    })

  it('tells the mean, the worst and the share that costs more', () => {
    const { mean, worst, p95, costMore } = poolScores(withCost([0.5, 1, 1.2])).dollars.openai
    expect({ mean, worst, p95, costMore }).toEqual({
      mean: expect.closeTo(0.9, 9),
      worst: expect.closeTo(1.2, 9),
      p95: expect.closeTo(1.2, 9),
      costMore: 1 / 3,
    })
  })

  it('weighs large sessions more in the pooled ratio, which lies inside its interval', () => {
    const { pooled, interval } = poolScores(withCost([0.5, 1, 1.2])).dollars['anthropic-1h']
    const costs = none.map(({ price }) => price.cost[1] ?? 0)
    const sum = costs.reduce((total, cost) => total + cost, 0)
    const [first = 0, second = 0, third = 0] = costs
    expect(pooled).toBeCloseTo((first * 0.5 + second + third * 1.2) / sum, 9)
    expect(interval[0]).toBeLessThan(pooled)
    expect(interval[1]).toBeGreaterThan(pooled)
  })

  it('gives the same interval in each run', () => {
    expect(poolScores(withCost([0.5, 1, 1.2]))).toEqual(poolScores(withCost([0.5, 1, 1.2])))
  })
})

describe('an engine that is told to do nothing', () => {
  it('scores exactly as no policy', () => {
    const config = { preset: 'off' as const, toolMappings: [], warnings: [] }
    const pairs = sessions.map((each) => ({
      score: scoreSession(each.unpruned, engineTrace(each, config, 'off'), each.needs),
      none: scoreSession(each.unpruned, each.unpruned, each.needs),
    }))
    const { policy, ...off } = poolScores(pairs)
    const { policy: other, ...none } = poolScores(
      pairs.map((pair) => ({ ...pair, score: pair.none })),
    )
    expect([policy, other, resolveSettings({ preset: 'off' }).preset]).toEqual([
      'off',
      'none',
      'off',
    ])
    expect(off).toEqual(none)
    expect(off.needs.E1).toBeGreaterThan(20)
  })
})

describe('limits', () => {
  it('lie in their order under every price: nothing below free deletion, nothing above doing nothing', () => {
    for (const each of sessions) {
      const none = scoreSession(each.unpruned, each.unpruned, each.needs).price.cost
      const limits = new Map(limitsOf(each).map(({ name, cost }) => [name, cost]))
      const costOf = (name: LimitName, regime: number): number => limits.get(name)?.[regime] ?? 0
      for (const [regime, whole] of none.entries()) {
        const floor = costOf('free deletion, uncopied items never shown (floor)', regime)
        const free = costOf('free deletion, each item seen once (lower bound)', regime)
        const gate = costOf('ideal gate under prefix caching', regime)
        const cold = costOf('removal only on a cold cache', regime)
        const belady = costOf('Belady, drop at once', regime)
        expect(floor).toBeLessThan(free)
        expect(free).toBeLessThan(gate)
        expect(gate).toBeLessThanOrEqual(cold * 1.000_001)
        expect(gate).toBeLessThanOrEqual(belady * 1.000_001)
        expect(gate).toBeLessThan(whole)
      }
    }
  })

  it('send more where small items are left', () => {
    const tokens = (leaves?: number): number =>
      sessions.reduce((sum, each) => sum + (limitsOf(each, { leaves })[0]?.tokens ?? 0), 0)
    expect(tokens(25)).toBeGreaterThan(tokens())
    expect(tokens(1_000_000)).toBeGreaterThan(tokens(25))
  })
})
