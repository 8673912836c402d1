import { trained } from './coefficients.ts'
import {
  type FeatureName,
  featureNames,
  type NeedFeatures,
  valuesOf,
  wordsFor,
} from './features.ts'
import { type NeedProbability, probabilityByRules, ruledOut } from './rules.ts'

/** What recordings add to the rules, in log odds, by the terms of `features.ts`. */
export interface NeedModel {
  readonly intercept: number
  readonly weights: Readonly<Partial<Record<FeatureName, number>>>
}

/** What was learnt from recordings, as `npm run train:retention` writes it. */
export interface Coefficients {
  /** Of file text. */
  readonly anchor: NeedModel
  readonly name: NeedModel
  /** Of all other results. */
  readonly otherName: NeedModel
}

/** How good predictions were on repositories that were not learnt from. */
interface ModelQuality {
  readonly examples: number
  readonly happened: number
  readonly auc: number
  readonly brier: number
  readonly brierOfMean: number
  /** For each tenth of the predictions, what was predicted and what was observed. */
  readonly calibration: readonly (readonly [predicted: number, observed: number])[]
}

/** What coefficients were learnt from. */
export interface Provenance {
  readonly sessions: number
  readonly repositories: number
  readonly results: number
  /** Each result at each age at which it was asked about. */
  readonly examples: number
  readonly quality: Readonly<Record<keyof Coefficients, ModelQuality>>
}

/** The probabilities by the rules and what was learnt beyond them; by the rules alone where nothing was. */
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

/** What speaks loudest against a need, in words, the strongest first. */
export function reasonsOf(
  features: NeedFeatures,
  coefficients: Coefficients | null = trained,
): readonly string[] {
  const against = new Map(ruledOut(features))
  const model = features.isFileText ? coefficients?.anchor : coefficients?.otherName
  const values = valuesOf(features)
  for (const [at, name] of featureNames.entries()) {
    // Its part in the rules has words of its own.
    if (name === 'age') continue
    const words = wordsFor(name)
    against.set(words, (against.get(words) ?? 0) + (model?.weights[name] ?? 0) * (values[at] ?? 0))
  }
  return [...against]
    .filter(([, weight]) => weight < -leastTold)
    .toSorted(([, a], [, b]) => a - b)
    .slice(0, mostTold)
    .map(([words]) => words)
}

const leastTold = 0.05
const mostTold = 3

function corrected(ruled: number, model: NeedModel, values: readonly number[]): number {
  const weights = weightsOf(model)
  let sum = model.intercept + logOdds(ruled)
  for (let at = 0; at < weights.length; at++) sum += (weights[at] ?? 0) * (values[at] ?? 0)
  return 1 / (1 + Math.exp(-sum))
}

const weightsByModel = new WeakMap<NeedModel, readonly number[]>()

/** In the order of `featureNames`; every result is asked about many times, and names are dear to look up. */
function weightsOf(model: NeedModel): readonly number[] {
  const known = weightsByModel.get(model)
  if (known !== undefined) return known
  const weights = featureNames.map((name) => model.weights[name] ?? 0)
  weightsByModel.set(model, weights)
  return weights
}

export function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability))
}
