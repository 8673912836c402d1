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
  return firstAnchor(features) * (anchorDecays[age] ?? anchorDecay ** age)
}

export function nameByRules({ isFileText, age }: SeenFeatures): number {
  return (isFileText ? 0.3 : 0.12) * (nameDecays[age] ?? nameDecay ** age)
}

function firstAnchor(features: SeenFeatures): number {
  if (features.isShell) return 0.07
  if (features.editsSince > 0) return 0.2
  return isPlanned(features) ? 0.5 : 0.3
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
