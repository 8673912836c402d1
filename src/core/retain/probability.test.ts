import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NeedFeatures, valuesOf } from './features.ts'
import { type Coefficients, probabilityOfNeed, reasonsOf } from './probability.ts'

const count = fc.nat(200)
const anyFeatures: fc.Arbitrary<NeedFeatures> = fc.record({
  isFileText: fc.boolean(),
  isShell: fc.boolean(),
  isSearch: fc.boolean(),
  age: count,
  size: fc.nat(1_000_000),
  isPartial: fc.boolean(),
  isTest: fc.boolean(),
  isDocument: fc.boolean(),
  isConfiguration: fc.boolean(),
  files: count,
  editsBefore: count,
  editsSince: count,
  readsBefore: count,
  readsSince: count,
  quiet: count,
  sessionEdits: count,
  sessionEditsSince: count,
  folderEdits: count,
  recentEdits: count,
  isExplored: fc.boolean(),
  cohortEdited: fc.double({ min: 0, max: 1, noNaN: true }),
  userSaid: count,
  agentSaidBefore: count,
  agentSaidSince: count,
  calledSince: count,
  namesSince: count,
  userSince: count,
  turn: fc.nat(10_000),
})

const features = (told: Partial<NeedFeatures>): NeedFeatures => ({
  ...(fc.sample(anyFeatures, { numRuns: 1, seed: 1 })[0] as NeedFeatures),
  isFileText: true,
  isShell: false,
  editsSince: 0,
  age: 1,
  ...told,
})

const nothing = { intercept: 0, weights: {}, means: {} }
const model: Coefficients = {
  anchor: { intercept: -1, weights: { shell: -2, isPlanned: 3 }, means: { shell: 0.5 } },
  name: { intercept: 1, weights: {}, means: {} },
  otherName: nothing,
  otherAnchor: 0.01,
}
const logistic = (sum: number): number => 1 / (1 + Math.exp(-sum))

describe('the probability of a need', () => {
  it('is what the coefficients say of the terms that they name', () => {
    const planned = features({ userSaid: 1 })
    expect(probabilityOfNeed(planned, model)).toEqual({ anchor: logistic(2), name: logistic(1) })
    const printed = features({ userSaid: 0, isShell: true })
    expect(probabilityOfNeed(printed, model)).toEqual({ anchor: logistic(-3), name: logistic(1) })
    const other = features({ isFileText: false })
    expect(probabilityOfNeed(other, model)).toEqual({ anchor: 0.01, name: 0.5 })
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
      probabilityOfNeed(features({ userSaid: 0, ...told }), null).anchor
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

describe('the reasons', () => {
  it('are the terms that speak against a need, in words', () => {
    expect(reasonsOf(features({ isShell: true, userSaid: 0 }), model)).toEqual([
      'printed by a command',
    ])
    expect(reasonsOf(features({ userSaid: 0 }), model)).toEqual([])
    expect(reasonsOf(features({ age: 40 }), null)).toEqual(['shown for 40 requests'])
  })
})
