import { featureNames, valuesOf } from '../../src/core/propose/retain/features.ts'
import {
  logOdds,
  type NeedProbability,
  probabilityByRules,
} from '../../src/core/propose/retain/rules.ts'
import type { Coefficients, FeatureName, NeedModel } from '../../src/core/words/coefficients.ts'
import type { Example } from './examples.ts'
import { fitLogistic } from './logistic.ts'

/** Trains the coefficients of `probabilityOfNeed`. */
export function train(examples: readonly Example[]): Coefficients {
  const fileText = examples.filter(({ features }) => features.isFileText)
  const other = examples.filter(({ features }) => !features.isFileText)
  return {
    // How early a result came says nothing about its lines in repositories that were left out.
    anchor: fitModel(fileText, 'anchor', ({ anchors }) => anchors > 0, ['arrived']),
    name: fitModel(fileText, 'name', ({ names }) => names > 0),
    otherName: fitModel(other, 'name', ({ names }) => names > 0),
  }
}

function fitModel(
  examples: readonly Example[],
  kind: keyof NeedProbability,
  label: (example: Example) => boolean,
  leftOut: readonly FeatureName[] = [],
): NeedModel {
  const rows = examples.map((each) => ({
    values: valuesOf(each.features).map((value, at) =>
      leftOut.includes(featureNames[at] as FeatureName) ? 0 : value,
    ),
    label: label(each),
    prior: logOdds(probabilityByRules(each.features)[kind]),
  }))
  const { intercept, weights } = fitLogistic(rows)
  return { intercept: rounded(intercept), weights: named((at) => weights[at] ?? 0) }
}

function named(value: (at: number) => number): Readonly<Partial<Record<FeatureName, number>>> {
  return Object.fromEntries(
    featureNames.flatMap((name, at) => {
      const found = rounded(value(at))
      return found === 0 ? [] : [[name, found]]
    }),
  )
}

/** Rounded, because further digits differ between machines. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
