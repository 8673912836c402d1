import { type CueWeight, cueWeight, longestCuePhrase } from './correction-cues.ts'
import { isRestart, opensQuestion } from './restarts.ts'
import { isQuestionWord, wordClass } from './word-class.ts'
import type { Word } from './words.ts'

/** The words that signal a correction: `words[start..end)`. */
export interface Cue {
  readonly start: number
  readonly end: number
  /** `phrase`: an explicit cue. `filler`: a hesitation. `restart`: the question begins again without a cue. */
  readonly kind: 'phrase' | 'filler' | 'restart'
}

interface CuePhrase {
  readonly weight: CueWeight
  readonly length: number
}

function cuePhraseAt(words: readonly Word[], index: number): CuePhrase | undefined {
  for (let length = Math.min(longestCuePhrase, words.length - index); length > 0; length--) {
    const phrase = words
      .slice(index, index + length)
      .map((word) => word.lower)
      .join(' ')
    const weight = cueWeight(phrase)
    if (weight === 'asked' && !opensQuestion(words)) continue
    if (weight !== undefined) return { weight: weight === 'asked' ? 'strong' : weight, length }
  }
  return undefined
}

/** What a speaker says between the cue and the repair: `no, tell me when …`, `sorry, I want to know …`. */
const leadIns: readonly RegExp[] = [
  /^(?:what )?i (?:wanted|want|need|meant|mean|would like|am trying|was going|wish)(?: to)? (?:know|ask|say|find out)(?: is| was)?(?: about)?\b/,
  /^i(?:'d| would|'ll)? rather(?: to)? (?:know|ask)(?: about)?\b/,
  /^(?:can|could|would) you (?:please )?tell me\b/,
  /^(?:(?:please|do|first|instead|rather|just|and|but|so) )*tell me(?: about)?\b/,
  /^let me ask\b/,
  /^what i (?:meant|mean|wanted)(?: to (?:say|ask|know))? (?:was|is)\b/,
  /^i (?:wonder|was wondering)\b/,
  /^(?:it|that)(?:'s| is| was| should be)\b(?! (?:a|an|the)\b)/,
]

function leadInLength(words: readonly Word[], index: number): number {
  const ahead = words
    .slice(index, index + 8)
    .map((word) => word.lower)
    .join(' ')
  for (const pattern of leadIns) {
    const match = pattern.exec(ahead)
    if (match) return match[0].split(' ').length
  }
  return 0
}

const nounsAfterNo = new Set(
  'longer more other others one matter doubt need such idea way less fewer reason problem problems worries thanks'.split(
    ' ',
  ),
)

/** Whether a plural noun without an article begins here. A `no` before it is not a correction: `single quotes, no semicolons`. */
function isBareNoun(words: readonly Word[], index: number): boolean {
  const kind = wordClass(words[index]!.text, 'inner')
  if (kind === 'plural') return true
  const next = words[index + 1]
  return kind === 'word' && next !== undefined && wordClass(next.text, 'inner') === 'plural'
}

/** Whether a `no` negates the noun after it (`there is no cache`) instead of correcting the phrase before it. */
function isDeterminer(words: readonly Word[], index: number): boolean {
  const next = words[index + 1]
  const previous = words[index - 1]
  if (!next || !previous || nounsAfterNo.has(next.lower)) return true
  if (isBareNoun(words, index + 1) && !words.some((word) => isQuestionWord(word.lower))) return true
  if (/[,;:—–-]\s*$/.test(words[index]!.gap) || /^[,;:—–]/.test(next.gap)) return false
  const after = wordClass(next.text, 'inner')
  if (
    after === 'question' ||
    after === 'auxiliary' ||
    after === 'article' ||
    after === 'preposition'
  )
    return false
  if (after === 'pronoun' || leadInLength(words, index + 1) > 0) return false
  const before = wordClass(previous.text, index === 1 ? 'first' : 'inner')
  if (before === 'preposition')
    return !isQuestionWord(words[0]!.lower) || prepositionsBeforeNo.has(previous.lower)
  if (before === 'auxiliary' || before === 'pronoun') return after !== 'name' || index > 3
  if (after === 'negation' || after === 'participle' || after === 'gerund') return false
  if (before === 'conjunction') return true
  if (before === 'participle') return !words.some((word) => isQuestionWord(word.lower))
  return verbsBeforeNo.has(previous.lower) && after !== 'name' && after !== 'number'
}

const prepositionsBeforeNo = new Set([
  'with',
  'without',
  'in',
  'on',
  'at',
  'for',
  'under',
  'like',
  'as',
])

const verbsBeforeNo = new Set(
  'have having has had need needs see sees find finds found show shows made make makes makes take took give gives gave get gets got contain contains say says charge require requires with without pay pays leave left there felt feel mean means add adds use uses'.split(
    ' ',
  ),
)

function isWeakCue(words: readonly Word[], start: number, end: number): boolean {
  const first = words[start]!
  const next = words[end]
  const phrase = words
    .slice(start, end)
    .map((word) => word.lower)
    .join(' ')
  if (!next) return false
  const paused =
    /[,;—–]\s*$/.test(first.gap) || /\s-+\s*$/.test(first.gap) || /\.\.+\s*$/.test(first.gap)
  const after = wordClass(next.text, 'inner')
  switch (phrase) {
    case 'no':
    case 'nope':
    case 'nah':
      return !isDeterminer(words, start)
    case 'wait':
      return paused || (endsPhrase(words, start) && !wordsAfterWait.has(next.lower))
    case 'rather':
      return next.lower !== 'than' && !/^would|'d$/.test(words[start - 1]?.lower ?? '')
    case 'instead':
      return next.lower !== 'of'
    case 'actually':
    case 'really':
      if (after === 'question' || paused || leadInLength(words, end) > 0) return true
      if (
        wordClass(words[start - 1]?.text ?? '', 'inner') === after &&
        after !== 'word' &&
        after !== 'auxiliary'
      )
        return true
      return (
        (after === 'article' || after === 'name' || after === 'number') && endsPhrase(words, start)
      )
    case 'well':
      return paused && (after === 'article' || after === 'question' || after === 'name')
    case 'i guess':
    case 'as in':
    case 'that is':
      return after === 'question' || (paused && phrase === 'i guess')
    default:
      return false
  }
}

/** Whether the words before `end` can end a noun phrase, which the words after it may replace. */
function endsPhrase(words: readonly Word[], end: number): boolean {
  const last = words[end - 1]
  if (!last) return false
  const kind = wordClass(last.text, end === 1 ? 'first' : 'inner')
  return kind === 'word' || kind === 'name' || kind === 'number' || kind === 'plural'
}

const wordsAfterWait = new Set([
  'for',
  'until',
  'till',
  'on',
  'and',
  'to',
  'time',
  'times',
  'list',
  'state',
  'while',
  'before',
])

/** The first cue at or after a word, up to where the repair begins. */
export function findCue(words: readonly Word[], from: number): Cue | undefined {
  for (let start = from; start < words.length; start++) {
    if (start > 0 && isRestart(words, start)) {
      const link = words[start - 1]!.lower === 'or' ? 1 : 0
      return { start: start - link, end: start, kind: 'restart' }
    }
    let end = start
    let strongest: CueWeight | undefined
    let count = 0
    let said = start
    for (
      let phraseFound = cuePhraseAt(words, end);
      phraseFound;
      phraseFound = cuePhraseAt(words, end)
    ) {
      if (
        phraseFound.weight === 'link' &&
        (count === 0
          ? !startsCue(words, end + phraseFound.length)
          : !continuesCue(words, end + phraseFound.length))
      )
        break
      end += phraseFound.length
      if (phraseFound.weight === 'link') continue
      if (count === 0) said = end - phraseFound.length
      count++
      if (strongest !== 'strong')
        strongest = count > 1 && phraseFound.weight === 'weak' ? 'strong' : phraseFound.weight
    }
    if (count === 0 || strongest === undefined) continue
    if (strongest === 'weak' && !isWeakCue(words, said, end)) {
      start = end - 1
      continue
    }
    end += leadInLength(words, end)
    if (end >= words.length || start === 0) {
      start = end - 1
      continue
    }
    return { start, end, kind: strongest === 'filler' ? 'filler' : 'phrase' }
  }
  return undefined
}

function startsCue(words: readonly Word[], index: number): boolean {
  const phraseFound = cuePhraseAt(words, index)
  if (!phraseFound || phraseFound.weight === 'link') return false
  return phraseFound.weight !== 'weak' || words[index]!.lower !== 'no'
}

function continuesCue(words: readonly Word[], index: number): boolean {
  const phraseFound = cuePhraseAt(words, index)
  return phraseFound !== undefined && phraseFound.weight !== 'link'
}
