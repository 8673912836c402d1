import type { Cue } from './find-cue.ts'
import { reparandumWeights } from './reparandum-weights.ts'
import { isAuxiliary, isQuestionWord, type WordClass, wordClass } from './word-class.ts'
import type { Word } from './words.ts'

/** The words that a correction replaces: `words[start..end)`. Words between `end` and the cue stay, after the repair. */
export interface Reparandum {
  readonly start: number
  readonly end: number
}

const longestReparandum = 24
/** A repair of at most this many words at the end of a sentence may replace words that are not next to the cue. */
const shortRepair = 5

/** The most likely span that the words after a cue replace. */
export function findReparandum(words: readonly Word[], cue: Cue): Reparandum {
  let best: Reparandum = { start: cue.start - 1, end: cue.start }
  let bestScore = Number.NEGATIVE_INFINITY
  for (const candidate of reparandumCandidates(words, cue)) {
    let score = 0
    for (const feature of reparandumFeatures(words, cue, candidate))
      score += reparandumWeights.get(feature) ?? 0
    if (score <= bestScore) continue
    best = candidate
    bestScore = score
  }
  return best
}

function reparandumCandidates(words: readonly Word[], cue: Cue): readonly Reparandum[] {
  const candidates: Reparandum[] = []
  const first = Math.max(0, cue.start - longestReparandum)
  for (let start = cue.start - 1; start >= first; start--)
    candidates.push({ start, end: cue.start })
  if (first > 0) candidates.push({ start: 0, end: cue.start })
  const repairLength = words.length - cue.end
  if (repairLength > shortRepair) return candidates
  for (let start = cue.start - 2; start >= first; start--)
    for (let end = start + 1; end <= Math.min(cue.start - 1, start + 4); end++)
      candidates.push({ start, end })
  return candidates
}

/** The features of a candidate: word classes and repetitions, never words of a topic. */
function reparandumFeatures(
  words: readonly Word[],
  cue: Cue,
  { start, end }: Reparandum,
): readonly string[] {
  const at = (index: number): WordClass | 'edge' => {
    const word = words[index]
    return word === undefined ? 'edge' : wordClass(word.text, index === 0 ? 'first' : 'inner')
  }
  const repair = words[cue.end]!
  const repairClass = at(cue.end)
  const before = at(start - 1)
  const length = end - start
  const inPlace = end === cue.start ? '' : 'inner:'
  const features = [
    `${inPlace}length:${Math.min(length, 8)}`,
    `${inPlace}first:${at(start)}>${repairClass}`,
    `${inPlace}before:${before}+${repairClass}`,
    `edge:${before}|${at(start)}`,
  ]
  const has = (test: (lower: string) => boolean, from: number, to: number): boolean =>
    words.slice(from, to).some((word) => test(word.lower))
  if (words[start]!.lower === repair.lower) features.push(`${inPlace}same`)
  if (words[start + 1]?.lower === words[cue.end + 1]?.lower) features.push('same-second')
  if (words[start]!.lower.slice(0, 4) === repair.lower.slice(0, 4)) features.push('same-stem')
  features.push(`second:${at(start + 1)}>${at(cue.end + 1)}`)
  const repairLength = words.length - cue.end
  if (start === 0)
    features.push(`all:${repairClass}:${Math.min(repairLength, 8)}`, `all:${cue.kind}`)
  if (isQuestionWord(repair.lower)) {
    features.push(`question-left:${has(isQuestionWord, 0, start)}`)
    features.push(`question-gone:${has(isQuestionWord, start, end)}`)
  } else {
    features.push(
      `question-kept:${has(isQuestionWord, 0, start) || has(isQuestionWord, cue.end, words.length)}`,
    )
  }
  const auxiliaryLeft = has(isAuxiliary, 0, start)
  const auxiliaryAhead = has(isAuxiliary, cue.end, cue.end + 4)
  features.push(`auxiliary:${auxiliaryLeft}:${auxiliaryAhead}:${has(isAuxiliary, start, end)}`)
  features.push(
    `pause:${/[,;:]/.test(words[start]!.gap)}`,
    `cue:${cue.kind}:${Math.min(length, 3)}`,
  )
  features.push(`name-before:${before === 'name' && at(start) === 'name'}`)
  features.push(
    `last:${at(end - 1)}>${repairLength === 1 ? repairClass : at(cue.end + Math.min(length, repairLength) - 1)}`,
  )
  if (end < cue.start)
    features.push(
      `inner-kept:${Math.min(cue.start - end, 5)}`,
      `inner-repair:${repairLength}`,
      `inner-next:${at(end)}`,
    )
  return features
}
