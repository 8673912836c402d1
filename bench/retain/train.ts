import type { FeatureName } from '../../src/core/retain/features.ts'
import { featureNames, valuesOf } from '../../src/core/retain/features.ts'
import type { Coefficients, NeedModel } from '../../src/core/retain/probability.ts'
import type { Example } from './examples.ts'
import { fitLogistic } from './logistic.ts'

/** Learns from examples what `probabilityOfNeed` uses. */
export function train(examples: readonly Example[]): Coefficients {
  const fileText = examples.filter(({ features }) => features.isFileText)
  const other = examples.filter(({ features }) => !features.isFileText)
  const hits = other.filter(({ anchors }) => anchors > 0).length
  return {
    anchor: fitModel(fileText, ({ anchors }) => anchors > 0),
    name: fitModel(fileText, ({ names }) => names > 0),
    otherName: fitModel(other, ({ names }) => names > 0),
    otherAnchor: rounded((hits + 1) / (other.length + 2)),
  }
}

function fitModel(examples: readonly Example[], label: (example: Example) => boolean): NeedModel {
  const rows = examples.map((each) => ({ values: valuesOf(each.features), label: label(each) }))
  const { intercept, weights } = fitLogistic(rows)
  const meanOf = (at: number): number =>
    rows.reduce((sum, { values }) => sum + (values[at] ?? 0), 0) / Math.max(1, rows.length)
  return {
    intercept: rounded(intercept),
    weights: named((at) => weights[at] ?? 0),
    means: named(meanOf),
  }
}

function named(value: (at: number) => number): Readonly<Partial<Record<FeatureName, number>>> {
  return Object.fromEntries(
    featureNames.flatMap((name, at) => {
      const found = rounded(value(at))
      return found === 0 ? [] : [[name, found]]
    }),
  )
}

/** More digits than the data can bear would only differ between machines. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
