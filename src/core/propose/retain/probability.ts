import type { Coefficients, FeatureName, NeedModel } from '../../words/coefficients.ts'
import { trained } from './coefficients.ts'
import {
  featureNames,
  isPlanned,
  logOf,
  type NeedFeatures,
  type SeenFeatures,
  valuesOf,
  wordsFor,
} from './features.ts'
import { mostNames } from './recurring-names.ts'
import {
  anchorByRules,
  anchorOddsByRules,
  type NeedProbability,
  nameByRules,
  nameOddsByRules,
  probabilityByRules,
  ruledOut,
} from './rules.ts'

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

/** No more than the probabilities, however many names came up. */
export function leastProbabilityOfNeed(
  features: SeenFeatures,
  coefficients: Coefficients | null = trained,
): NeedProbability {
  return {
    anchor: leastProbabilityOfAnchor(features, coefficients),
    name: leastProbabilityOfName(features, coefficients),
  }
}

/** By it alone most file texts are kept, */
export function leastProbabilityOfAnchor(
  features: SeenFeatures,
  coefficients: Coefficients | null = trained,
): number {
  if (coefficients === null || !features.isFileText) return anchorByRules(features)
  return leastCorrected(anchorOddsByRules(features), weightsOf(coefficients).anchor, features)
}

/** and by this all else. */
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

/** All of a model's figures, also those that it leaves out. */
type Weights = Readonly<Record<FeatureName | 'intercept', number>>

/**
 * The sum of the terms in the order of `valuesOf`, written out: every result is asked about many times, and most terms are
 * nothing.
 */
function corrected(
  ruledOdds: number,
  weights: Weights,
  features: SeenFeatures,
  namesSince: number,
): number {
  let sum = weights.intercept + ruledOdds
  sum += weights.age * logOf(features.age)
  if (features.isPartial) sum += weights.partial
  if (features.isTest) sum += weights.test
  if (features.isDocument) sum += weights.document
  if (isPlanned(features)) sum += weights.planned
  if (features.editsSince > 0) sum += weights.edited
  sum += weights.editsElsewhere * logOf(features.sessionEditsSince)
  if (features.readsSince > 0) sum += weights.readAgain
  if (features.agentSaidSince > 0) sum += weights.agentSaid * logOf(features.agentSaidSince)
  if (namesSince > 0) sum += weights.names * logOf(namesSince)
  if (features.userSince > 0) sum += weights.userSpoke * logOf(features.userSince)
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
