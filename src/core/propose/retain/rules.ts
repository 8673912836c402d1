import { isPlanned, type NeedFeatures } from './features.ts'

/** How probable it is that something is copied from a result from now on. */
export interface NeedProbability {
  /** Lines, to edit them. */
  readonly anchor: number
  /** An identifier. */
  readonly name: number
}

/** The factor by which each request lowers a probability. */
const anchorDecay = 0.98
const nameDecay = 0.97
/** Outputs that show no file have no lines to edit. */
const anchorOfOutput = 0.002

export function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability))
}

/**
 * The probabilities without any training. A need is most probable for a file that the user named and nobody has edited
 * yet; what commands print is rarely copied from, and an edit of the file makes the next one less probable.
 */
export function probabilityByRules(features: NeedFeatures): NeedProbability {
  const { isFileText, age } = features
  return {
    anchor: isFileText ? firstAnchor(features) * anchorDecay ** age : anchorOfOutput,
    name: (isFileText ? 0.3 : 0.12) * nameDecay ** age,
  }
}

/** The probability when a file's text is first shown. */
function firstAnchor(features: NeedFeatures): number {
  if (features.isShell) return 0.07
  if (features.editsSince > 0) return 0.2
  return isPlanned(features) ? 0.5 : 0.3
}

/** What the rules hold against a need, in words, each with its weight in log odds. */
export function ruledOut(features: NeedFeatures): readonly (readonly [string, number])[] {
  const { isFileText, isShell, editsSince, age } = features
  const decay = Math.log(isFileText ? anchorDecay : nameDecay)
  const shown = [`${age} requests have shown it`, age * decay] as const
  if (!isFileText) return [shown]
  if (isShell) return [['printed by a command', -1.7], shown]
  return editsSince > 0 ? [['its file was edited since', -0.5], shown] : [shown]
}
