import { leadIn } from '../understand/lead-in.ts'
import { stanceOf } from '../understand/stance.ts'
import { readWords, type Word } from '../understand/words.ts'
import { isSameWord } from './mentions.ts'
import { contentStem } from './stored-slot.ts'

const lead = new RegExp(`^${leadIn}`, 'iu')
const determiner = /^(?:the|our|my|all|every|each|this|a|an)$/
/** Sentences that begin with these have no subject of their own, or one that may be anything. */
const open =
  /^(?:i|i'm|i've|we|we're|we've|it|it's|its|he|she|they|you|that|that's|there|these|those|one|no|not|please|never|always|let's|from|in|on|at|for|since|after|with|as|by|to|instead)$/u
/** A verb in the present or in the past. Some of them are also nouns, so the first word is never taken for one. */
const verb =
  /^(?:is|are|was|were|has|have|had|will|should|must|can|do|does|did|went|go|goes|got|became|took|runs?|uses?|lives?|needs?|starts?|ends?|takes?|costs?|comes?|stays?|sits?|ships?|builds?|tests?|begins?|deploys?|picks?|sends?|now|\p{Ll}{2,}(?:[^su]s|ed))$/u
/** After a participle only these are verbs: `finished tiles are …`, but `bumped retries to 5` has no subject. */
const plainVerb = /^(?:is|are|was|were|has|have|had)$/
/** `Kevin raised the limit`: who changes something is not what changed. */
const changes =
  /^(?:(?:has|have|had|just|already|finally) )*(?:raised|lowered|moved|changed|renamed|switched|bumped|shortened|extended|cut|set|put|increased|reduced|dropped|replaced|updated|upgraded|pushed|made|gave) (?!to\b|over\b)(?!.*\b(?:their|his|her)\b)/iu
const longestSubject = 6
/** Words that do not tell one thing of a kind from another. */
const anyKind =
  /^(?:new|old|current|main|default|primary|whole|own|only|other|same|next|last|first|max|maximum|minimum|actual|real)$/

/** The stems of a sentence's subject; undefined when it has none, or a pronoun. */
function subjectOf(sentence: string): readonly string[] | undefined {
  if (stanceOf(sentence) === 'request') return undefined
  const { words } = readWords(sentence.replace(lead, ''))
  const start = determiner.test(words[0]?.lower ?? '') ? 1 : 0
  if (words[start] === undefined || open.test(words[start].lower)) return undefined
  for (let at = start + 1; at < words.length && at <= start + longestSubject; at++) {
    if (/[,;:()—–]/.test(words[at]!.gap)) return undefined
    const { lower } = words[at]!
    const expected = /^\p{Ll}+ed$/u.test(words[start].text) ? plainVerb : verb
    if (!expected.test(lower)) continue
    // In `raw tiles are stored`, `tiles` is no verb.
    if (!plainVerb.test(lower) && plainVerb.test(words[at + 1]?.lower ?? '')) continue
    const rest = words.slice(at, at + 6).map((word) => word.lower)
    return changes.test(rest.join(' ')) ? undefined : stemsOf(words.slice(start, at))
  }
  return undefined
}

function stemsOf(words: readonly Word[]): readonly string[] {
  return words.flatMap((word) => {
    if (anyKind.test(word.lower) || /\d/.test(word.lower)) return []
    // `US` is no pronoun.
    return contentStem(word) ?? (/^\p{Lu}{2,}$/u.test(word.text) ? [word.lower] : [])
  })
}

function without(stems: readonly string[], others: Iterable<string>): readonly string[] {
  const known = [...others]
  return stems.filter((stem) => !known.some((other) => isSameWord(stem, other)))
}

/** Whether two statements are about two kinds of one thing: `raw tiles are …` and `finished tiles are …`. */
export function isAboutOtherKind(sentence: string, earlier: string): boolean {
  const [said, known] = [subjectOf(sentence) ?? [], subjectOf(earlier) ?? []]
  const [thing, other] = [said.at(-1), known.at(-1)]
  if (thing === undefined || other === undefined || !isSameWord(thing, other)) return false
  return without(said, known).length > 0 && without(known, said).length > 0
}

/** Whether two statements have subjects with nothing in common: `traces are at …` and `metrics are at …`. */
export function hasOtherSubject(
  sentence: string,
  earlier: string,
  about: ReadonlySet<string>,
): boolean {
  const [said, known] = [subjectOf(sentence), subjectOf(earlier)]
  if (said === undefined || known === undefined || said.length === 0 || known.length === 0)
    return false
  const foreign = without(said, known)
  if (without(said, [...known, ...about]).length === said.length) return true
  // `The error rate` and `the error budget`
  const [thing = '', other = ''] = [said.at(-1), known.at(-1)]
  return (
    said.length === 2 &&
    known.length === 2 &&
    foreign[0] === thing &&
    without([other], said).length > 0
  )
}
