import { describe, expect, it } from 'vitest'
import { provenance, trained } from './coefficients.ts'
import { featureNames } from './features.ts'

describe('the coefficients that come with the package', () => {
  it('name only terms that there are', () => {
    const named = [trained.anchor, trained.name, trained.otherName].flatMap(({ weights }) =>
      Object.keys(weights),
    )
    expect(named.filter((name) => !featureNames.some((known) => known === name))).toEqual([])
    expect(named.length).toBeGreaterThan(0)
  })

  it.each(Object.entries(provenance.quality))(
    'ranked %s better than chance, and erred no more than its mean, on repositories that were left out',
    (_, { auc, brier, brierOfMean, calibration }) => {
      expect(auc).toBeGreaterThan(0.5)
      expect(brier).toBeLessThanOrEqual(brierOfMean)
      const [lowest, highest] = [calibration[0], calibration.at(-1)]
      expect(lowest?.[1]).toBeLessThan(highest?.[1] ?? 0)
    },
  )
})
