import { namedAttribute } from '../lexicon/lookup.ts'
import { findValues, isNameLike } from '../understand/values.ts'
import { readWords } from '../understand/words.ts'
import type { Claim } from './claim.ts'

const lead = String.raw`^(?:(?:btw|by the way|fyi|also|and|ok|so|note|just so you know|heads up)[,:]?\s+)*`
const noun = String.raw`(?<noun>[\p{L}][\p{L}\p{N} /-]{1,40}?)`
const value = String.raw`(?<value>\S+(?:\s+\S+){0,4}?)`
const close = String.raw`(?:,?\s+(?:by the way|btw|here|now|these days|please))?[.!]*$`

/** Sentences that give a value to a property of any name. */
const patterns: readonly RegExp[] = [
  new RegExp(
    String.raw`${lead}(?:the|our|my)\s+${noun}\s+(?:is|are)\s+(?:called|named)\s+${value}${close}`,
    'iu',
  ),
  new RegExp(
    String.raw`${lead}we\s+(?:now\s+|currently\s+)?(?:use|have|run)\s+(?!\d)${value}\s+(?:for|as)\s+(?:the\s+|our\s+|a\s+|all\s+)?${noun}${close}`,
    'iu',
  ),
  new RegExp(
    String.raw`${lead}we\s+(?:now\s+)?(?:track|manage|host|store|keep|log|document|plan|publish|back up|monitor|collect|process)\s+(?:the\s+|our\s+|all\s+)*${noun}\s+(?:in|with|on|via|through)\s+${value}${close}`,
    'iu',
  ),
  new RegExp(
    String.raw`${lead}(?:our|my)\s+${noun}\s+(?:is|are|'s)\s+(?:(?:now|currently|at|on|in|tracked|managed|stored|hosted|deployed|built|written|handled|sent|kept|done|run)\s+(?:(?:in|on|with|by|at|to|through)\s+)?)*${value}${close}`,
    'iu',
  ),
]

const vague = /^(?:the|a|an|this|that|it|everything|something|these|those)\s/i

/** Facts with an open key: `our experiments are tracked in Neptune`, `the main table is called orders_v2`. */
export function openClaims(sentence: string): readonly Claim[] {
  for (const pattern of patterns) {
    const groups = pattern.exec(sentence)?.groups
    const said = groups?.value?.trim()
    const attribute = groups?.noun?.trim().toLowerCase()
    if (said === undefined || attribute === undefined || vague.test(said)) continue
    if (attribute.split(/\s+/).length > 5 || !isValue(said)) continue
    // Known attributes have stricter patterns of their own: `our database is DOWN` names no database.
    if (namedAttribute(attribute) !== undefined) continue
    const owner = /^(?:\W*\w+\W+){0,3}?my\b/i.test(sentence) ? 'user' : 'project'
    return [
      {
        kind: 'fact',
        owner,
        operation: 'state',
        category: 'general',
        attribute,
        value: said,
        text: `${owner === 'user' ? "user's" : 'project'} ${attribute}: ${said}`,
        quote: sentence,
        confidence: 0.75,
      },
    ]
  }
  return []
}

/** A state and not a value: `stuck at 99 %`, `behind main`, `failing in Safari 17`, `2 weeks old`. */
const state =
  /^(?:stuck|behind|ahead|down|up|full|broken|slow|late|out|gone|back|still|always|never|not|about|only|\p{Ll}+ing)\b|\b(?:old|ago|late|behind|ahead|slower|faster)$/u

/** A name, a number, a date, a path; not a word such as `slow`. */
function isValue(text: string): boolean {
  const { words } = readWords(text)
  return (
    words.length > 0 &&
    !state.test(text) &&
    (findValues(words).length > 0 ||
      words.some((_, at) => isNameLike(words, at) || /^\p{Lu}/u.test(words[at]!.text)))
  )
}
