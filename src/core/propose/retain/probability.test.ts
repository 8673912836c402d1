import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Coefficients } from '../../words/coefficients.ts'
import { trained } from './coefficients.ts'
import { featureNames, type NeedFeatures, valuesOf } from './features.ts'
import { leastProbabilityOfNeed, probabilityOfNeed, reasonsOf } from './probability.ts'
import { mostNames } from './recurring-names.ts'

const count = fc.nat(200)
const anyFeatures: fc.Arbitrary<NeedFeatures> = fc.record({
  isFileText: fc.boolean(),
  isShell: fc.boolean(),
  age: count,
  arrivedAt: count,
  isPartial: fc.boolean(),
  isTest: fc.boolean(),
  isDocument: fc.boolean(),
  editsSince: count,
  nearEditsSince: fc.nat({ max: 40 }),
  chars: fc.nat({ max: 60_000 }),
  sessionEditsSince: count,
  readsSince: count,
  userSaid: count,
  agentSaidSince: count,
  namesSince: count,
  userSince: count,
})

const features = (told: Partial<NeedFeatures>): NeedFeatures => ({
  isFileText: true,
  isShell: false,
  age: 1,
  arrivedAt: 0,
  isPartial: false,
  isTest: false,
  isDocument: false,
  editsSince: 0,
  sessionEditsSince: 0,
  nearEditsSince: 0,
  readsSince: 0,
  userSaid: 0,
  agentSaidSince: 0,
  namesSince: 0,
  userSince: 0,
  chars: 0,
  ...told,
})

const model: Coefficients = {
  anchor: { intercept: -1, weights: { test: -2, planned: 3 } },
  name: { intercept: 0, weights: {} },
  otherName: { intercept: 1, weights: {} },
}
/** The odds of a probability, so many log odds further. */
const moved = (probability: number, by: number): number =>
  1 / (1 + ((1 - probability) / probability) * Math.exp(-by))

describe('the probability of a need', () => {
  it('is that of the rules, moved by what the coefficients say of the terms that they name', () => {
    const told = (asked: Partial<NeedFeatures>, anchorBy: number, nameBy: number): void => {
      const ruled = probabilityOfNeed(features(asked), null)
      const { anchor, name } = probabilityOfNeed(features(asked), model)
      expect(anchor).toBeCloseTo(moved(ruled.anchor, anchorBy))
      expect(name).toBeCloseTo(moved(ruled.name, nameBy))
    }
    told({}, -1, 0)
    told({ userSaid: 1 }, 2, 0)
    told({ userSaid: 1, editsSince: 1 }, -1, 0)
    told({ isTest: true }, -3, 0)
    told({ isFileText: false, isTest: true }, 0, 1)
  })

  it('is a probability, with what comes with the package and by the rules, whatever is asked', () => {
    fc.assert(
      fc.property(anyFeatures, (asked) => {
        for (const told of [probabilityOfNeed(asked), probabilityOfNeed(asked, null)]) {
          for (const each of [told.anchor, told.name]) {
            expect(each).toBeGreaterThanOrEqual(0)
            expect(each).toBeLessThanOrEqual(1)
          }
        }
        expect(probabilityOfNeed(asked)).toEqual(probabilityOfNeed({ ...asked }))
        expect(valuesOf(asked).every(Number.isFinite)).toBe(true)
      }),
    )
  })

  it('weighs each term by its own weight, as those who learn the weights see it', () => {
    const odds = (probability: number): number => Math.log(probability / (1 - probability))
    fc.assert(
      fc.property(anyFeatures, (asked) => {
        const ruled = probabilityOfNeed(asked, null)
        const told = probabilityOfNeed(asked)
        const need = asked.isFileText ? trained.anchor : trained.otherName
        const [by, before] = asked.isFileText
          ? [odds(told.anchor), odds(ruled.anchor)]
          : [odds(told.name), odds(ruled.name)]
        const values = valuesOf(asked)
        const sum = featureNames.reduce(
          (total, name, at) => total + (need.weights[name] ?? 0) * (values[at] ?? 0),
          need.intercept,
        )
        expect(by - before).toBeCloseTo(sum)
      }),
    )
  })

  it('falls with age by the rules', () => {
    fc.assert(
      fc.property(anyFeatures, fc.nat(100), (asked, later) => {
        const now = probabilityOfNeed(asked, null)
        const then = probabilityOfNeed({ ...asked, age: asked.age + later }, null)
        expect(then.anchor).toBeLessThanOrEqual(now.anchor)
        expect(then.name).toBeLessThanOrEqual(now.name)
      }),
    )
  })

  it('is highest by the rules for a file that the user named and nobody has edited', () => {
    const anchor = (told: Partial<NeedFeatures>): number =>
      probabilityOfNeed(features(told), null).anchor
    const kinds = [
      anchor({ userSaid: 1 }),
      anchor({}),
      anchor({ editsSince: 1 }),
      anchor({ isShell: true }),
      anchor({ isFileText: false }),
    ]
    expect(kinds).toEqual(kinds.toSorted((a, b) => b - a))
    expect(new Set(kinds).size).toBe(kinds.length)
  })
})

describe('the least probability of a need', () => {
  const noLess: Coefficients = {
    anchor: { intercept: 0, weights: { names: 0.5 } },
    name: { intercept: 0, weights: {} },
    otherName: { intercept: 0, weights: { names: -0.5, userSpoke: 0.2 } },
  }

  it('is that with the number of names that speaks most against it, and never more', () => {
    fc.assert(
      fc.property(anyFeatures, fc.nat(mostNames), (asked, namesSince) => {
        for (const coefficients of [trained, noLess, null]) {
          const least = leastProbabilityOfNeed(asked, coefficients)
          const told = probabilityOfNeed({ ...asked, namesSince }, coefficients)
          expect(least.anchor).toBeLessThanOrEqual(told.anchor)
          expect(least.name).toBeLessThanOrEqual(told.name)
        }
      }),
    )
    const output = features({ isFileText: false })
    expect(leastProbabilityOfNeed(features({}), noLess).anchor).toBe(
      probabilityOfNeed(features({ namesSince: 0 }), noLess).anchor,
    )
    expect(leastProbabilityOfNeed(output, noLess).name).toBe(
      probabilityOfNeed({ ...output, namesSince: mostNames }, noLess).name,
    )
  })
})

describe('the reasons', () => {
  it('are what speaks against a need, by the rules and the coefficients, in words', () => {
    expect(reasonsOf(features({ isShell: true, isTest: true, age: 40 }), model)).toEqual([
      'a test',
      'printed by a command',
      '40 requests have shown it',
    ])
    expect(reasonsOf(features({ editsSince: 1, age: 10 }), null)).toEqual([
      'its file was edited since',
      '10 requests have shown it',
    ])
    expect(reasonsOf(features({ userSaid: 1 }), model)).toEqual([])
  })
})
