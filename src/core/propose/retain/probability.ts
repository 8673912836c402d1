import type { Coefficients, FeatureName, NeedModel } from '../../words/coefficients.ts'
import { trained } from './coefficients.ts'
import {
  featureNames,
  isPlanned,
  logOf,
  type NeedFeatures,
  reasonFor,
  type SeenFeatures,
  sizeOf,
  valuesOf,
} from './features.ts'
import { mostNames } from './recurring-names.ts'
import {
  anchorByRules,
  anchorOddsByRules,
  type NeedProbability,
  nameByRules,
  nameOddsByRules,
  probabilityByRules,
  reasonsByRules,
} from './rules.ts'

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
  if (coefficients === null) return probabilityByRules(features)
  const { namesSince } = features
  const { anchor, name, otherName } = weightsOf(coefficients)
  const nameOdds = nameOddsByRules(features)
  if (!features.isFileText) {
    return {
      anchor: anchorByRules(features),
      name: corrected(nameOdds, otherName, features, namesSince),
    }
  }
  return {
    anchor: corrected(anchorOddsByRules(features), anchor, features, namesSince),
    name: corrected(nameOdds, name, features, namesSince),
  }
}

/** A lower bound of the probabilities, whatever the number of names. */
export function leastProbabilityOfNeed(
  features: SeenFeatures,
  coefficients: Coefficients | null = trained,
): NeedProbability {
  return {
    anchor: leastProbabilityOfAnchor(features, coefficients),
    name: leastProbabilityOfName(features, coefficients),
  }
}

/** A lower bound of the probability that lines are needed. It alone decides for most file text. */
export function leastProbabilityOfAnchor(
  features: SeenFeatures,
  coefficients: Coefficients | null = trained,
): number {
  if (coefficients === null || !features.isFileText) return anchorByRules(features)
  return leastCorrected(anchorOddsByRules(features), weightsOf(coefficients).anchor, features)
}

/** A lower bound of the probability that a name is needed. It alone decides for most other output. */
export function leastProbabilityOfName(
  features: SeenFeatures,
  coefficients: Coefficients | null = trained,
): number {
  if (coefficients === null) return nameByRules(features)
  const { name, otherName } = weightsOf(coefficients)
  return leastCorrected(nameOddsByRules(features), features.isFileText ? name : otherName, features)
}

function leastCorrected(ruledOdds: number, weights: Weights, features: SeenFeatures): number {
  return corrected(ruledOdds, weights, features, weights.names < 0 ? mostNames : 0)
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

/** All weights of a model; those that it leaves out are 0. */
type Weights = Readonly<Record<FeatureName | 'intercept', number>>

/**
 * The logistic function of the rules' odds plus the weighted features, in the order of `valuesOf`. It is written out because
 * it runs for every result at every checked age.
 */
function corrected(
  ruledOdds: number,
  weights: Weights,
  features: SeenFeatures,
  namesSince: number,
): number {
  let sum = weights.intercept + ruledOdds
  sum += weights.age * logOf(features.age)
  sum += weights.arrived * logOf(features.arrivedAt)
  if (features.isShell) sum += weights.shell
  if (features.isPartial) sum += weights.partial
  if (features.isTest) sum += weights.test
  if (features.isDocument) sum += weights.document
  if (isPlanned(features)) sum += weights.planned
  if (features.editsSince > 0) sum += weights.edited
  sum += weights.editsElsewhere * logOf(features.sessionEditsSince)
  sum += weights.editsNear * logOf(features.nearEditsSince)
  if (features.readsSince > 0) sum += weights.readAgain
  if (features.agentSaidSince > 0) sum += weights.agentSaid * logOf(features.agentSaidSince)
  if (namesSince > 0) sum += weights.names * logOf(namesSince)
  if (features.userSince > 0) sum += weights.userSpoke * logOf(features.userSince)
  sum += weights.size * sizeOf(features)
  return 1 / (1 + Math.exp(-sum))
}

type AllWeights = Readonly<Record<keyof Coefficients, Weights>>

const weightsByCoefficients = new WeakMap<Coefficients, AllWeights>()

function weightsOf(coefficients: Coefficients): AllWeights {
  const known = weightsByCoefficients.get(coefficients)
  if (known !== undefined) return known
  const filled = ({ intercept, weights }: NeedModel): Weights => ({
    ...noWeights,
    ...weights,
    intercept,
  })
  const { anchor, name, otherName } = coefficients
  const weights = { anchor: filled(anchor), name: filled(name), otherName: filled(otherName) }
  weightsByCoefficients.set(coefficients, weights)
  return weights
}

const noWeights = Object.fromEntries(featureNames.map((name) => [name, 0])) as Weights
