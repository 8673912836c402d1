import { namedAttribute } from '../lexicon/lookup.ts'
import { leadIn } from '../understand/lead-in.ts'
import { withoutEndMark } from '../understand/sentences.ts'
import { findValues, isNameLike } from '../understand/values.ts'
import { readWords } from '../understand/words.ts'
import type { Claim } from './claim.ts'

const lead = `^${leadIn}`
const noun = String.raw`(?<noun>[\p{L}][\p{L}\p{N} /-]{1,40}?)`
const value = String.raw`(?<value>\S+(?:\s+\S+){0,4}?)`
const close = String.raw`(?:,?\s+(?:by the way|btw|here|now|these days|please|for everything))?[.!]*$`

const places = '(?:on|in|at|through|via|with|from|to|for|under)'

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
  // `Our warehouse runs on Odoo`
  new RegExp(
    String.raw`${lead}(?:our|my)\s+(?!(?:boss|chef|brother|sister|friend|colleague|client|customer)s?\b)(?<noun>[\p{L}][\p{L}\p{N} /-]{1,40}?\s+(?:uses?(?! since)|(?:runs?|lives?|sits?|goes|go|works?|comes?)\s+${places}))\s+(?:the\s+)?${value}${close}`,
    'iu',
  ),
  // `In this project are all comments in Portuguese`
  new RegExp(
    String.raw`${lead}in\s+(?:this|our|the)\s+(?:project|repo|repository|codebase|company|team)\s+(?:are|is)\s+(?:all\s+|the\s+|every\s+)*${noun}\s+(?:in|on|with|by)\s+${value}${close}`,
    'iu',
  ),
]

/** An exclusive choice is a fact even when its value does not look like a name: `we ship on Steam Deck only`. */
const exclusive = new RegExp(
  String.raw`${lead}we\s+(?:only\s+)?(?<noun>(?:ship|publish|sell|release|deploy|build|support|develop|print|record|train|target|invoice|bill|pay|trade)\s*${places}?)\s+(?<value>(?!(?:the|this|that|a|an)\b)\S+(?:\s+\S+){0,2}?)\s+only[.!]*$`,
  'iu',
)

const vague = /^(?:the|a|an|this|that|it|everything|something|these|those)\s/i

/** Facts with an open key: `our experiments are tracked in Neptune`, `the main table is called orders_v2`. */
export function openClaims(sentence: string): readonly Claim[] {
  for (const pattern of [...patterns, exclusive]) {
    const groups = pattern.exec(sentence)?.groups
    const said = groups?.value === undefined ? undefined : withoutEndMark(groups.value.trim())
    const attribute = groups?.noun?.trim().toLowerCase()
    if (said === undefined || attribute === undefined || vague.test(said)) continue
    if (attribute.split(/\s+/).length > 5) continue
    if (pattern !== exclusive && !isValue(said)) continue
    // `The boss in Hollow Knight is called Hornet` is about another work.
    if (/\s(?:in|of|at|from) \p{Lu}/u.test(groups!.noun!)) continue
    // Known attributes have stricter patterns of their own, because `our database is DOWN` does not name a database.
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
