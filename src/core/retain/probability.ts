import { trained } from './coefficients.ts'
import {
  type FeatureName,
  featureNames,
  type NeedFeatures,
  valuesOf,
  wordsFor,
} from './features.ts'

/** How probable it is that something is copied from a result from now on. */
export interface NeedProbability {
  /** Lines, to edit them. */
  readonly anchor: number
  /** An identifier. */
  readonly name: number
}

/** A logistic model over the terms of `features.ts`; terms that it does not name count nothing. */
export interface NeedModel {
  readonly intercept: number
  readonly weights: Readonly<Partial<Record<FeatureName, number>>>
  /** The mean of each term where it was trained, against which a result stands out. */
  readonly means: Readonly<Partial<Record<FeatureName, number>>>
}

/** What was learnt from recordings, as `npm run train:retention` writes it. */
export interface Coefficients {
  /** Of file text. */
  readonly anchor: NeedModel
  /** Of file text, and of everything else. */
  readonly name: NeedModel
  readonly otherName: NeedModel
  /** The share of other results that lines were copied from. */
  readonly otherAnchor: number
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
  readonly quality: Readonly<Record<'anchor' | 'name' | 'otherName', ModelQuality>>
}

/** The probabilities by what was learnt, or by rules where nothing was. */
export function probabilityOfNeed(
  features: NeedFeatures,
  coefficients: Coefficients | null = trained,
): NeedProbability {
  if (coefficients === null) return byRules(features)
  const values = valuesOf(features)
  if (!features.isFileText)
    return { anchor: coefficients.otherAnchor, name: apply(coefficients.otherName, values) }
  return { anchor: apply(coefficients.anchor, values), name: apply(coefficients.name, values) }
}

/** The terms that speak loudest against a need, in words, the strongest first. */
export function reasonsOf(
  features: NeedFeatures,
  coefficients: Coefficients | null = trained,
): readonly string[] {
  if (coefficients === null) return [`shown for ${features.age} requests`]
  const { weights, means } = features.isFileText ? coefficients.anchor : coefficients.otherName
  const values = valuesOf(features)
  return featureNames
    .map((name, at) => ({
      name,
      against: (weights[name] ?? 0) * ((values[at] ?? 0) - (means[name] ?? 0)),
      isPresent: (values[at] ?? 0) > 0,
    }))
    .filter(({ against, isPresent }) => against < -0.1 && isPresent)
    .toSorted((a, b) => a.against - b.against)
    .slice(0, 3)
    .map(({ name }) => wordsFor(name))
}

function apply({ intercept, weights }: NeedModel, values: readonly number[]): number {
  const sum = featureNames.reduce(
    (total, name, at) => total + (weights[name] ?? 0) * (values[at] ?? 0),
    intercept,
  )
  return 1 / (1 + Math.exp(-sum))
}

/** Need falls with age, fastest for what commands printed; a file that waits for its edit is kept longest. */
function byRules(features: NeedFeatures): NeedProbability {
  const { isFileText, isShell, age, userSaid, editsSince } = features
  const name = 0.3 * 0.97 ** age
  if (!isFileText) return { anchor: 0.002, name }
  const start = isShell ? 0.07 : editsSince > 0 ? 0.2 : userSaid > 0 ? 0.5 : 0.3
  return { anchor: start * 0.98 ** age, name }
}
