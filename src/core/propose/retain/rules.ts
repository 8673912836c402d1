import { checkedAges } from './checked-ages.ts'
import { isPlanned, type SeenFeatures } from './features.ts'

/** How probable it is that something is copied from a result from now on. */
export interface NeedProbability {
  /** Lines, to edit them. */
  readonly anchor: number
  /** An identifier. */
  readonly name: number
}

/** What a request takes off a probability. */
const anchorDecay = 0.98
const nameDecay = 0.97
/** Of each age up to the oldest that is asked about. */
const anchorDecays = decaysOf(anchorDecay)
const nameDecays = decaysOf(nameDecay)

function decaysOf(decay: number): readonly number[] {
  return Array.from({ length: Math.max(...checkedAges) + 1 }, (_, age) => decay ** age)
}

export function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability))
}

/** A probability to begin with, and its log odds at each of those ages: every result is asked about many times. */
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
 * What holds without any training: a need becomes less probable with every request. Most probable is that of a file which
 * the user named and which waits for its edit; what commands printed is rarely copied from, a change of the file makes the
 * next one less probable, and outputs that show no file have no lines to edit.
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

/** The log odds of the same, for file text. */
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

/** What the rules hold against a need, in words, each with its weight in log odds. */
export function ruledOut(features: SeenFeatures): readonly (readonly [string, number])[] {
  const { isFileText, isShell, editsSince, age } = features
  const decay = Math.log(isFileText ? anchorDecay : nameDecay)
  const shown = [`${age} requests have shown it`, age * decay] as const
  if (!isFileText) return [shown]
  if (isShell) return [['printed by a command', -1.7], shown]
  return editsSince > 0 ? [['its file was edited since', -0.5], shown] : [shown]
}
