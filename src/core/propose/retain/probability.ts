import type { Coefficients, NeedModel } from '../../words/coefficients.ts'
import { trained } from './coefficients.ts'
import { featureNames, type NeedFeatures, valuesOf, wordsFor } from './features.ts'
import { logOdds, type NeedProbability, probabilityByRules, ruledOut } from './rules.ts'

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

/** The probabilities by the rules, corrected by what was learnt; `null` takes the rules alone. */
export function probabilityOfNeed(
  features: NeedFeatures,
  coefficients: Coefficients | null = trained,
): NeedProbability {
  const ruled = probabilityByRules(features)
  if (coefficients === null) return ruled
  const { anchor, name, otherName } = coefficients
  if (!features.isFileText) {
    return { anchor: ruled.anchor, name: corrected(ruled.name, otherName, features) }
  }
  return {
    anchor: corrected(ruled.anchor, anchor, features),
    name: corrected(ruled.name, name, features),
  }
}

function corrected(
  probability: number,
  { intercept, weights }: NeedModel,
  features: NeedFeatures,
): number {
  const values = valuesOf(features)
  let sum = intercept + logOdds(probability)
  for (const [at, name] of featureNames.entries()) sum += (weights[name] ?? 0) * (values[at] ?? 0)
  return 1 / (1 + Math.exp(-sum))
}

/** The strongest reasons against a need, in words, the strongest first. */
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
