import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitLogistic, type LabelledRow } from './logistic.ts'
import { qualityOf } from './quality.ts'

const logistic = (sum: number): number => 1 / (1 + Math.exp(-sum))

/** Labels that known weights give beyond a prior, by a sequence that is spread evenly and the same in every run. */
function rowsOf(count: number): LabelledRow[] {
  return Array.from({ length: count }, (_, n) => {
    const values = [(n * 0.618) % 1, n % 2, 7]
    const prior = n % 3
    const probability = logistic(prior - 2 + 3 * (values[0] ?? 0) + (values[1] ?? 0))
    return { values, prior, label: (n * 0.754877) % 1 < probability }
  })
}

describe('a logistic model', () => {
  it('learns what the labels have beyond their priors, and nothing of what never changes', () => {
    const { intercept, weights } = fitLogistic(rowsOf(200_000))
    expect(intercept).toBeCloseTo(-2, 0)
    expect(weights[0]).toBeCloseTo(3, 0)
    expect(weights[1]).toBeCloseTo(1, 0)
    expect(weights[2]).toBe(0)
  })

  it('believes the priors while there is little to learn from', () => {
    const { intercept, weights } = fitLogistic(rowsOf(10))
    for (const weight of [intercept, ...weights]) expect(Math.abs(weight)).toBeLessThan(0.05)
  })

  it('is the same for the same rows, and finite for any', () => {
    const value = fc.double({ min: -100, max: 100, noNaN: true })
    const row = fc.record({
      values: fc.array(value, { minLength: 2, maxLength: 2 }),
      prior: fc.double({ min: -10, max: 10, noNaN: true }),
      label: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const model = fitLogistic(rows)
        expect(fitLogistic(rows)).toEqual(model)
        expect([model.intercept, ...model.weights].every(Number.isFinite)).toBe(true)
      }),
    )
  })
})

describe('the quality of predictions', () => {
  const judged = (probabilities: readonly number[]): number =>
    qualityOf(probabilities.map((probability, at) => ({ probability, happened: at >= 2 }))).auc

  it('tells a right order from a wrong one and from none', () => {
    expect(judged([0.1, 0.2, 0.3, 0.4])).toBe(1)
    expect(judged([0.4, 0.3, 0.2, 0.1])).toBe(0)
    expect(judged([0.2, 0.2, 0.2, 0.2])).toBe(0.5)
  })

  it('compares what was predicted with what was observed, tenth by tenth', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({
      probability: n / 100,
      happened: n % 2 === 0,
    }))
    const { calibration, brierOfMean } = qualityOf(rows)
    expect(calibration[9]).toEqual({ predicted: expect.closeTo(0.945), observed: 0.5, count: 10 })
    expect([calibration.length, brierOfMean]).toEqual([10, 0.25])
  })
})
