import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Calibration, calibrationFrom, createCalibration } from './calibration.ts'

function observed(pairs: readonly (readonly [string, number, number])[]): Calibration {
  const calibration = createCalibration()
  for (const [model, estimated, actual] of pairs) calibration.observe(model, estimated, actual)
  return calibration
}

const model = fc.constantFrom('claude-opus-4-1', 'claude-sonnet-4-5', 'gpt-5', 'o3', '__proto__')
const tokens = fc.integer({ min: -100, max: 200_000 })
const pairs = fc.array(fc.tuple(model, tokens, tokens), { maxLength: 30 })

describe('a calibration', () => {
  test('leaves estimates as they are for a model of which nothing is known', () => {
    const calibration = createCalibration()
    expect(calibration.factor('gpt-5')).toBe(1)
    expect(calibration.size('gpt-5', 1234)).toBe(1234)
  })

  test('comes close to the true ratio after a few answers', () => {
    const calibration = createCalibration()
    for (const estimated of [9000, 12_000, 15_000])
      calibration.observe('claude-opus-4-1', estimated, estimated * 1.2)
    expect(calibration.factor('claude-opus-4-1')).toBeGreaterThan(1.18)
    expect(calibration.factor('claude-opus-4-1')).toBeLessThan(1.2)
    expect(calibration.size('claude-opus-4-1', 10_000)).toBeGreaterThan(11_800)
  })

  test('does not jump on one small answer', () => {
    const calibration = observed([['gpt-5', 400, 800]])
    expect(calibration.factor('gpt-5')).toBeLessThan(1.2)
  })

  test.each([
    [0, 0],
    [1000, 0],
    [0, 1000],
    [-1000, -1000],
    [Number.NaN, 1000],
    [1000, Number.NaN],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [1e300, 1e300],
    [150, 180],
    [1000, 10],
    [1000, 9000],
  ])('learns nothing from an estimate of %d and a count of %d', (estimated, actual) => {
    const calibration = observed([['gpt-5', estimated, actual]])
    expect(calibration.toJSON()).toEqual({ version: 1, models: {} })
    expect(calibration.factor('gpt-5')).toBe(1)
  })

  test('sizes nonsense as nothing', () => {
    const calibration = createCalibration()
    expect(
      [0, -5, Number.NaN, Number.POSITIVE_INFINITY].map((n) => calibration.size('x', n)),
    ).toEqual([0, 0, 0, 0])
  })

  test('lends a new model the factor of its closest relatives and no other', () => {
    const calibration = observed([
      ['claude-opus-4-1', 1_000_000, 1_200_000],
      ['claude-sonnet-4-5', 1_000_000, 1_400_000],
      ['gemini-2.5-pro', 1_000_000, 900_000],
    ])
    expect(calibration.factor('us.anthropic.claude-opus-5')).toBeCloseTo(1.2, 2)
    expect(calibration.factor('anthropic/claude-haiku-4-5')).toBeCloseTo(1.3, 2)
    expect(calibration.factor('gpt-5')).toBe(1)
  })

  test('believes a model more than its relatives', () => {
    const calibration = observed([
      ['claude-opus-4-1', 1_000_000, 1_500_000],
      ['claude-sonnet-4-5', 200_000, 200_000],
    ])
    expect(calibration.factor('claude-sonnet-4-5')).toBeCloseTo(1, 1)
  })

  test('is the same whatever the order of the observations', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        expect(observed(list.toReversed()).toJSON()).toEqual(observed(list).toJSON())
      }),
    )
  })

  test('keeps every factor between a half and two', () => {
    fc.assert(
      fc.property(pairs, model, (list, name) => {
        const factor = observed(list).factor(name)
        expect(factor).toBeGreaterThanOrEqual(0.5)
        expect(factor).toBeLessThanOrEqual(2)
      }),
    )
  })

  test('comes back from JSON as it was', () => {
    fc.assert(
      fc.property(pairs, model, (list, name) => {
        const calibration = observed(list)
        const restored = calibrationFrom(JSON.parse(JSON.stringify(calibration)))
        expect(restored.toJSON()).toEqual(calibration.toJSON())
        expect(restored.factor(name)).toBe(calibration.factor(name))
      }),
    )
  })

  test('takes the sound part of damaged JSON', () => {
    const sound = { observations: 2, estimatedTokens: 10_000, actualTokens: 12_000 }
    const restored = calibrationFrom({
      version: 1,
      models: {
        sound,
        text: 'x',
        negative: { ...sound, actualTokens: -1 },
        far: { ...sound, actualTokens: 1e9 },
      },
    })
    expect(restored.toJSON()).toEqual({ version: 1, models: { sound } })
  })

  test('starts empty from JSON that is not a calibration', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(calibrationFrom(json).toJSON()).toEqual({ version: 1, models: {} })
      }),
    )
  })
})
