import { probabilityOfNeed } from '../../src/core/propose/retain/probability.ts'
import type { Coefficients } from '../../src/core/words/coefficients.ts'
import type { Example } from './examples.ts'
import { type Quality, qualityOf } from './quality.ts'
import { train } from './train.ts'

/** For each group, a model trained on all others. */
export function trainWithoutEach(
  examples: readonly Example[],
  groupOf: (example: Example) => string,
): ReadonlyMap<string, Coefficients> {
  const groups = [...new Set(examples.map(groupOf))]
  return new Map(
    groups.map((group) => [group, train(examples.filter((each) => groupOf(each) !== group))]),
  )
}

export interface CrossValidation {
  /** Of file text: lines to edit, and identifiers; of other results: identifiers. */
  readonly anchor: Quality
  readonly name: Quality
  readonly otherName: Quality
}

/** The quality of predictions for repositories outside of the training data. */
export function crossValidate(
  examples: readonly Example[],
  learnt: ReadonlyMap<string, Coefficients>,
): CrossValidation {
  const predicted = examples.map((example) => ({
    ...example,
    probability: probabilityOfNeed(example.features, learnt.get(example.group) ?? null),
  }))
  const fileText = predicted.filter(({ features }) => features.isFileText)
  const other = predicted.filter(({ features }) => !features.isFileText)
  const ofNames = (part: typeof predicted): Quality =>
    qualityOf(
      part.map(({ probability, names }) => ({
        probability: probability.name,
        happened: names > 0,
      })),
    )
  return {
    anchor: qualityOf(
      fileText.map(({ probability, anchors }) => ({
        probability: probability.anchor,
        happened: anchors > 0,
      })),
    ),
    name: ofNames(fileText),
    otherName: ofNames(other),
  }
}
