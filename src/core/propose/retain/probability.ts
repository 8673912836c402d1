import type { Coefficients, NeedModel } from '../../words/coefficients.ts'
import { trained } from './coefficients.ts'
import {
  featureNames,
  type NeedFeatures,
  reasonFor,
  type SeenFeatures,
  valuesOf,
} from './features.ts'
import { mostNames } from './recurring-names.ts'
import { logOdds, type NeedProbability, probabilityByRules, reasonsByRules } from './rules.ts'

/** How good predictions were on repositories that were not in the training data. */
interface ModelQuality {
  readonly examples: number
  readonly happened: number
  readonly auc: number
  readonly brier: number
  readonly brierOfMean: number
  /** For each tenth of the predictions, the predicted and the observed frequency. */
  readonly calibration: readonly (readonly [predicted: number, observed: number])[]
}

/** What the coefficients were trained on. */
export interface Provenance {
  readonly sessions: number
  readonly repositories: number
  readonly results: number
  /** Each result counts once for each age at which it was checked. */
  readonly examples: number
  readonly quality: Readonly<Record<keyof Coefficients, ModelQuality>>
}

/** The probabilities by the rules, corrected by the trained coefficients if there are any. */
export function probabilityOfNeed(
  features: NeedFeatures,
  coefficients: Coefficients | null = trained,
): NeedProbability {
  const ruled = probabilityByRules(features)
  if (coefficients === null) return ruled
  const values = valuesOf(features)
  const { anchor, name, otherName } = coefficients
  if (!features.isFileText) return { ...ruled, name: corrected(ruled.name, otherName, values) }
  return {
    anchor: corrected(ruled.anchor, anchor, values),
    name: corrected(ruled.name, name, values),
  }
}

/** A lower bound of the probabilities, whatever the number of names: each rises or falls with that number. */
export function leastProbabilityOfNeed(
  features: SeenFeatures,
  coefficients: Coefficients | null = trained,
): NeedProbability {
  const none = probabilityOfNeed({ ...features, namesSince: 0 }, coefficients)
  const all = probabilityOfNeed({ ...features, namesSince: mostNames }, coefficients)
  return { anchor: Math.min(none.anchor, all.anchor), name: Math.min(none.name, all.name) }
}

/** The reasons against a need, strongest first. */
export function reasonsOf(
  features: NeedFeatures,
  coefficients: Coefficients | null = trained,
): readonly string[] {
  const against = new Map(reasonsByRules(features))
  const model = features.isFileText ? coefficients?.anchor : coefficients?.otherName
  const values = valuesOf(features)
  for (const [at, name] of featureNames.entries()) {
    // The rules already give a reason for the age.
    if (name === 'age') continue
    const words = reasonFor(name)
    against.set(words, (against.get(words) ?? 0) + (model?.weights[name] ?? 0) * (values[at] ?? 0))
  }
  return [...against]
    .filter(([, weight]) => weight < -leastWeight)
    .toSorted(([, a], [, b]) => a - b)
    .slice(0, mostReasons)
    .map(([words]) => words)
}

const leastWeight = 0.05
const mostReasons = 3

/** The logistic function of the rules' odds plus the weighted values of the terms. */
function corrected(
  ruled: number,
  { intercept, weights }: NeedModel,
  values: readonly number[],
): number {
  let sum = intercept + logOdds(ruled)
  for (const [at, name] of featureNames.entries())
    sum += (weights[name] ?? 0) * (values[at] as number)
  return 1 / (1 + Math.exp(-sum))
}
