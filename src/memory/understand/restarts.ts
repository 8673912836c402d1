import { isAuxiliary, isQuestionWord, wordClass } from './word-class.ts'
import type { Word } from './words.ts'

/** `What …`, `In which year …`. */
export function opensQuestion(words: readonly Word[]): boolean {
  const first = words[0]!
  if (isQuestionWord(first.lower)) return true
  return wordClass(first.text, 'first') === 'preposition' && isQuestionWord(words[1]?.lower ?? '')
}

/** A question word where the sentence cannot have one: `Where was when was …`, `What did or what work …`. */
export function isRestart(words: readonly Word[], index: number): boolean {
  const word = words[index]!
  const previous = words[index - 1]
  const first = words[0]!
  if (!previous || !isQuestionWord(word.lower)) return false
  if (repeatsQuestion(words, index) || asksAnew(words, index)) return true
  const opensWithQuestion = isQuestionWord(first.lower)
  if (opensWithQuestion && /^\p{Lu}/u.test(word.text) && /^\s+$/.test(word.gap)) return true
  if (!opensWithQuestion) return false
  const next = words[index + 1]
  if (isAuxiliary(previous.lower) && isQuestionWord(words[index - 2]?.lower ?? '')) return true
  if (index === 1) return next !== undefined && !isQuestionWord(next.lower)
  if (previous.lower === 'or' && index <= 5) return next !== undefined
  if (previous.lower === 'me' && words[index - 3]?.lower === 'or') return true
  if (previous.lower === 'or' || !/^\s+$/.test(word.gap)) return false
  const before = wordClass(previous.text, 'inner')
  if (before === 'preposition' || before === 'conjunction' || before === 'auxiliary') return false
  if (word.lower === 'how') return next !== undefined && measures.has(next.lower)
  if (word.lower !== 'what' && word.lower !== 'why') return false
  if (!next || !isAuxiliary(words[1]!.lower)) return next !== undefined && isAuxiliary(next.lower)
  return before !== 'participle' && before !== 'gerund'
}

/** `What principle or to what …`, `… economic growth or what did …`: another question after `or`. */
function asksAnew(words: readonly Word[], index: number): boolean {
  if (!opensQuestion(words)) return false
  const previous = words[index - 1]!
  if (wordClass(previous.text, 'inner') === 'preposition')
    return words[index - 2]?.lower === 'or' && index > 2
  return previous.lower === 'or' && isAuxiliary(words[index + 1]?.lower ?? '') && index > 2
}

/** `What gorge is known for … what gorge is between …` */
function repeatsQuestion(words: readonly Word[], index: number): boolean {
  const next = words[index + 1]?.lower
  if (next === undefined || wordClass(next, 'inner') !== 'word') return false
  return words
    .slice(0, index - 1)
    .some((word, at) => isQuestionWord(word.lower) && words[at + 1]!.lower === next)
}

const measures = new Set(['many', 'much', 'long', 'often', 'far', 'big', 'did', 'does', 'do'])
