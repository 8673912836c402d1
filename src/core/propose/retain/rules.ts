import { isPlanned, type SeenFeatures } from './features.ts'

/** The probability that a later call copies something from a result. */
export interface NeedProbability {
  /** Lines, for an edit. */
  readonly anchor: number
  /** An identifier. */
  readonly name: number
}

/** The factor by which each request lowers a probability. */
const anchorDecay = 0.98
const nameDecay = 0.97

export function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability))
}

/**
 * The probabilities without training. A need becomes less probable with every request. It is most probable for a file that
 * the user named and that is not edited yet. Output of commands is rarely copied, an edited file is less likely to be edited
 * again, and output that shows no file has no lines to edit.
 */
export function probabilityByRules(features: SeenFeatures): NeedProbability {
  const { isFileText, age } = features
  return {
    anchor: isFileText ? firstAnchor(features) * anchorDecay ** age : 0.002,
    name: (isFileText ? 0.3 : 0.12) * nameDecay ** age,
  }
}

function firstAnchor(features: SeenFeatures): number {
  if (features.isShell) return 0.07
  if (features.editsSince > 0) return 0.2
  return isPlanned(features) ? 0.5 : 0.3
}

/** The reasons that the rules give against a need, each with its weight in log odds. */
export function reasonsByRules(features: SeenFeatures): readonly (readonly [string, number])[] {
  const { isFileText, isShell, editsSince, age } = features
  const decay = Math.log(isFileText ? anchorDecay : nameDecay)
  const shown = [`${age} requests have shown it`, age * decay] as const
  if (!isFileText) return [shown]
  if (isShell) return [['printed by a command', -1.7], shown]
  return editsSince > 0 ? [['its file was edited since', -0.5], shown] : [shown]
}
