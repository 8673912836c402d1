import { fragmentClaims } from '../extract/fragment-claims.ts'
import { readOpening } from './correction-cues.ts'
import { isDocument, ownWords } from './own-words.ts'
import { findRepairs } from './repair.ts'
import { cleanThing, findReplacements } from './replacements.ts'
import { splitSentences, withoutEndMark } from './sentences.ts'
import { stanceOf } from './stance.ts'

/** A correction. `text` is the sentence with the correction applied. */
export interface Correction {
  readonly old?: string
  readonly new: string
  readonly text: string
}

const idle =
  /^(?:thanks|thank you|it'?s (?:fine|ok|okay)|that'?s (?:fine|ok|okay|it|right|wrong|not)|no problem|ignore|forget it|never mind|i don't know|i'm not sure|you(?:'re| are) right)\b/i

/** Every correction in the user's own words, without quotes, code, logs and pasted documents. Never throws. */
export function findCorrections(message: string): readonly Correction[] {
  if (isDocument(message)) return []
  const { text, restore } = ownWords(message)
  const sentences = splitSentences(text)
  return sentences
    .flatMap((sentence, index) => correctionsIn(sentence, sentences[index + 1]))
    .map((correction) => ({
      ...(correction.old === undefined ? {} : { old: restore(correction.old) }),
      new: restore(correction.new),
      text: restore(correction.text),
    }))
}

function correctionsIn(sentence: string, next: string | undefined): readonly Correction[] {
  const stance = stanceOf(sentence)
  const own = stance === 'statement' || stance === 'request'
  const opening = readOpening(sentence)
  const rest = opening.kind === 'corrects' ? opening.rest : sentence
  if (own) {
    const stated = findReplacements(rest).flatMap((replacement): readonly Correction[] =>
      replacement.new === undefined ? [] : [{ ...replacement, new: replacement.new, text: rest }],
    )
    if (stated.length > 0) return stated
  }
  const repairs = findRepairs(rest)
  if (repairs.length > 0) return repairs
  if (!own || opening.kind === 'none') return []
  if (opening.kind === 'refuses') {
    // `No, pnpm.`: a bare value corrects the message before.
    const [fragment] = fragmentClaims(opening.rest)
    return fragment?.value === undefined ? [] : [{ new: fragment.value, text: opening.rest }]
  }
  // After `Scratch that.` the next sentence is the correction.
  const meant = /[\p{L}\p{N}]/u.test(rest) ? rest : next
  if (meant === undefined || idle.test(meant)) return []
  return [{ new: cleanThing(withoutEndMark(meant)) ?? meant, text: meant }]
}
