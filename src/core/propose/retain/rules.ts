import { checkedAges } from './age-checks.ts'
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
/** For each age up to the oldest that is checked. */
const anchorDecays = decaysOf(anchorDecay)
const nameDecays = decaysOf(nameDecay)

function decaysOf(decay: number): readonly number[] {
  return Array.from({ length: Math.max(...checkedAges) + 1 }, (_, age) => decay ** age)
}

export function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability))
}

/** An initial probability, and its log odds at each age, precomputed. */
interface Decaying {
  readonly first: number
  readonly logOddsAt: readonly number[]
}

function decaying(first: number, decays: readonly number[]): Decaying {
  return { first, logOddsAt: decays.map((decay) => logOdds(first * decay)) }
}

const printed = decaying(0.07, anchorDecays)
const edited = decaying(0.2, anchorDecays)
const planned = decaying(0.5, anchorDecays)
const unplanned = decaying(0.3, anchorDecays)
const fileName = decaying(0.3, nameDecays)
const otherName = decaying(0.12, nameDecays)

/**
 * The probabilities without training. A need becomes less probable with every request. It is most probable for a file that
 * the user named and that is not edited yet. Output of commands is rarely copied, an edited file is less likely to be edited
 * again, and output that shows no file has no lines to edit.
 */
export function probabilityByRules(features: SeenFeatures): NeedProbability {
  return { anchor: anchorByRules(features), name: nameByRules(features) }
}

export function anchorByRules(features: SeenFeatures): number {
  const { isFileText, age } = features
  if (!isFileText) return 0.002
  return anchorOf(features).first * (anchorDecays[age] ?? anchorDecay ** age)
}

export function nameByRules(features: SeenFeatures): number {
  const { age } = features
  return nameOf(features).first * (nameDecays[age] ?? nameDecay ** age)
}

/** The log odds of `anchorByRules`, for file text. */
export function anchorOddsByRules(features: SeenFeatures): number {
  return anchorOf(features).logOddsAt[features.age] ?? logOdds(anchorByRules(features))
}

export function nameOddsByRules(features: SeenFeatures): number {
  return nameOf(features).logOddsAt[features.age] ?? logOdds(nameByRules(features))
}

function anchorOf(features: SeenFeatures): Decaying {
  if (features.isShell) return printed
  if (features.editsSince > 0) return edited
  return isPlanned(features) ? planned : unplanned
}

function nameOf({ isFileText }: SeenFeatures): Decaying {
  return isFileText ? fileName : otherName
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
