import { type CueStrength, changeCue, isPassing } from '../understand/change-cues.ts'
import { readOpening } from '../understand/correction-cues.ts'
import { findRepairs } from '../understand/repair.ts'
import { oneOffPhrase, type Stance, stanceOf } from '../understand/stance.ts'
import { withUsualSpelling } from '../understand/usual-spelling.ts'
import { type FoundValue, findValues } from '../understand/values.ts'
import { readWords, type Word } from '../understand/words.ts'

/** What is read from a sentence before it is compared with items. */
export interface SentenceReading {
  readonly sentence: string
  /** Without a preamble and a reason, and with `we` for `they`. */
  readonly said: string
  /** In usual spelling. */
  readonly text: string
  readonly words: readonly Word[]
  readonly values: readonly FoundValue[]
  readonly cue: CueStrength
  /** Whether it begins with words that correct what was said. */
  readonly corrects: boolean
  /** The subject is a pronoun: `They moved the proxy`. */
  readonly byOthers: boolean
  /** The sentence without words of correction at its beginning. */
  readonly plain: string
  /** The stance of `plain`. */
  readonly stance: Stance
  /** The words that limit it to one file, task or moment. */
  readonly limit: string | undefined
}

/** Reads a sentence; undefined when it cannot change any item. */
export function readSentence(sentence: string): SentenceReading | undefined {
  const own = withoutPreamble(withoutReason(repaired(sentence)))
  const byOthers = pronounSubject.test(own.text)
  const said = byOthers ? own.text.replace(pronounSubject, '$<lead>we') : own.text
  if (isPassing(said)) return undefined
  const text = withUsualSpelling(said)
  const { words } = readWords(text)
  if (words.length > longestSentence) return undefined
  // `Wait, I said USD` is a statement.
  const opening = readOpening(said)
  const plain = opening.kind === 'none' ? said : opening.rest
  return {
    sentence,
    said,
    text,
    words,
    values: findValues(words),
    cue: changeCue(text),
    corrects: own.corrects,
    byOthers,
    plain,
    stance: stanceOf(plain),
    limit: oneOffPhrase(said),
  }
}

const pronounSubject =
  /^(?<lead>(?:(?:and|but|so|also|because|btw|apparently|it seems(?: that)?)[,\s]+)*)(?:they|someone|somebody)(?:'ve)?\b/iu

const preamble =
  /^(?:[\p{L}']+[\s,]+){0,3}?(?:(?<corrects>correct|fix|amend|revise)|update|forget|note|mention|remind\p{L}*|heads[ -]up|news|one more thing|long story short)\b[^:.?!\d]{0,40}:\s+/iu

/** Removes an introduction: `Let me correct what I said: …`, `before I forget: …`. */
function withoutPreamble(sentence: string): { readonly text: string; readonly corrects: boolean } {
  const found = preamble.exec(sentence)
  if (found === null) return { text: sentence.replace(asksToNote, ''), corrects: false }
  return {
    text: sentence.slice(found[0].length),
    corrects: found.groups?.corrects !== undefined,
  }
}

/** `Can you keep in mind that …`: what follows is stated. */
const asksToNote =
  /^(?:(?:can|could|would|will) you (?:please )?|please |pls |just )?(?:keep in mind|remember|note|be aware|take note|bear in mind) that\s+/iu

const longestSentence = 60

const repairs =
  /[,;—–-]\s*(?:hm+,? |uh,? |no,? )*(?:i mean|no wait|wait,? no|no,? sorry|sorry,? no|sorry(?=,)|or rather|make that|scratch that)\b/iu

/** Applies a correction in the sentence itself: `On 10 May, I mean 11 May`. */
function repaired(sentence: string): string {
  return repairs.test(sentence) ? (findRepairs(sentence)[0]?.text ?? sentence) : sentence
}

/** Removes a reason or a precaution, because its words would make the rest of the sentence look uncertain. */
function withoutReason(sentence: string): string {
  return sentence.replace(
    /(?:,\s+(?:in case|since|so that|although|though|even if|otherwise)\b.*$|,?\s+because\b[^,;]*)/iu,
    '',
  )
}
