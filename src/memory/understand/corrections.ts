import { fragmentClaims } from '../extract/fragment-claims.ts'
import { isDocument, ownWords } from './own-words.ts'
import { findRepairs } from './repair.ts'
import { cleanThing, findReplacements } from './replacements.ts'
import { splitSentences } from './sentences.ts'
import { stanceOf } from './stance.ts'

/** Something that a speaker takes back. `text` is the sentence as it is meant, with the repair in its place. */
export interface Correction {
  readonly old?: string
  readonly new: string
  readonly text: string
}

/** `Actually, …`, `no wait, …`, `scratch that, …` at the beginning corrects what was said before. */
const opening =
  /^(?:(?:oh|ok|okay|hm+|ah|uh|um|hey|yeah|but|and|so|well)[,.\s]+)*(?:actually|correction|on second thoughts?|scratch that|strike that|no[,.\s]+wait|wait[,.\s]+no|nope?[,.\s]+(?:actually|sorry|scratch that|i meant?)|sorry[,.\s]+(?:i meant?|no|actually|make that)|sorry|my (?:bad|mistake)|i meant?(?: to say)?|make that|never ?mind|i take that back|let me correct (?:that|myself)|change of plans?)[,.:;!—–\s-]+/i

const plainNo = /^(?:(?:oh|ok|okay|hm+|ah|well|but)[,.\s]+)*(?:no|nope|nah)(?:[,.\s]+no)*[,.\s]+/i

const idle =
  /^(?:thanks|thank you|it'?s (?:fine|ok|okay)|that'?s (?:fine|ok|okay|it|right|wrong|not)|no problem|ignore|forget it|never mind|i don't know|i'm not sure|you(?:'re| are) right)\b/i

/** Every correction in what the user says; quotes, code, logs and pasted documents are not read. Total. */
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
  const opened = opening.exec(sentence)
  const rest = opened ? sentence.slice(opened[0].length) : sentence
  if (own) {
    const stated = findReplacements(rest).flatMap((replacement): readonly Correction[] =>
      replacement.new === undefined ? [] : [{ ...replacement, new: replacement.new, text: rest }],
    )
    if (stated.length > 0) return stated
  }
  const repairs = findRepairs(rest)
  if (repairs.length > 0) return repairs
  if (!opened && own) {
    // `No, pnpm.`: a value by itself answers what was said before.
    const [fragment] = fragmentClaims(rest.replace(plainNo, ''), { onlyReplaces: true })
    if (plainNo.test(rest) && fragment?.value !== undefined)
      return [{ new: fragment.value, text: rest.replace(plainNo, '') }]
  }
  if (!opened || !own) return []
  // `Scratch that.` stands alone; what is meant follows.
  const meant = /[\p{L}\p{N}]/u.test(rest) ? rest : next
  if (meant === undefined || idle.test(meant)) return []
  return [{ new: cleanThing(meant.replace(/[.!]+$/, '')) ?? meant, text: meant }]
}
