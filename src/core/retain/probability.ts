import { trained } from './coefficients.ts'
import {
  type FeatureName,
  featureNames,
  type NeedFeatures,
  type SeenFeatures,
  setValues,
  valuesOf,
  wordsFor,
} from './features.ts'
import { mostNames } from './recurring-names.ts'
import {
  anchorByRules,
  type NeedProbability,
  nameByRules,
  probabilityByRules,
  ruledOut,
} from './rules.ts'

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
  setValues(values, features, features.namesSince)
  const { anchor, name, otherName } = weighingOf(coefficients)
  if (!features.isFileText) {
    return { anchor: ruled.anchor, name: corrected(ruled.name, otherName, values) }
  }
  return {
    anchor: corrected(ruled.anchor, anchor, values),
    name: corrected(ruled.name, name, values),
  }
}

/**
 * No more than the probability that counts most, however many names came up: that of a need of lines where there are any,
 * else of a name. By it alone most results are kept.
 */
export function leastProbabilityOfNeed(
  features: SeenFeatures,
  coefficients: Coefficients | null = trained,
): number {
  const { isFileText } = features
  const ruled = isFileText ? anchorByRules(features) : nameByRules(features)
  if (coefficients === null) return ruled
  const { anchor, otherName } = weighingOf(coefficients)
  return leastCorrected(ruled, isFileText ? anchor : otherName, features)
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

/** A model with its weights in the order of `featureNames`; names are dear to look up. */
interface Weighing {
  readonly intercept: number
  readonly weights: readonly number[]
}

function corrected(ruled: number, { intercept, weights }: Weighing, values: Float64Array): number {
  let sum = intercept + logOdds(ruled)
  for (let at = 0; at < weights.length; at++)
    sum += (weights[at] as number) * (values[at] as number)
  return 1 / (1 + Math.exp(-sum))
}

const namesAt = featureNames.indexOf('names')
/** Filled anew for each question, of which there are many. */
const values = new Float64Array(featureNames.length)

function leastCorrected(ruled: number, weighing: Weighing, features: SeenFeatures): number {
  const most = (weighing.weights[namesAt] as number) < 0 ? mostNames : 0
  setValues(values, features, most)
  return corrected(ruled, weighing, values)
}

type Weighings = Readonly<Record<keyof Coefficients, Weighing>>

const weighings = new WeakMap<Coefficients, Weighings>()

function weighingOf(coefficients: Coefficients): Weighings {
  const known = weighings.get(coefficients)
  if (known !== undefined) return known
  const ordered = ({ intercept, weights }: NeedModel): Weighing => ({
    intercept,
    weights: featureNames.map((name) => weights[name] ?? 0),
  })
  const { anchor, name, otherName } = coefficients
  const weighing = { anchor: ordered(anchor), name: ordered(name), otherName: ordered(otherName) }
  weighings.set(coefficients, weighing)
  return weighing
}

export function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability))
}
