import { comparable } from '../comparable.ts'
import { ambiguousValues, type KnownValue, leadingValue } from '../lexicon/lookup.ts'
import { readWords } from '../understand/words.ts'

/** A known value with the words that follow it. */
export interface ValuePhrase {
  readonly known: KnownValue
  readonly rest: string
}

const articles = /^(?:the|a|an|our|my|just|only|plain|vanilla|pure)\s+/i

/** The known value at the beginning of a phrase, after articles. */
export function valuePhrase(phrase: string): ValuePhrase | undefined {
  const text = phrase.trim().replace(articles, '')
  const words = readWords(text).words
  const found = leadingValue(words.map((word) => word.lower))
  if (!found) return undefined
  const last = words[found.length - 1]!
  const spelled = text.slice(words[0]!.start, last.end)
  // `Go` and `Express` are tools when spelled like one.
  if (
    found.length === 1 &&
    ambiguousValues.has(comparable(spelled)) &&
    !isToolSpelling(spelled, found.known)
  )
    return undefined
  const rest = text.slice(last.end)
  const { attribute } = found.known
  const version = attribute.category === 'style' ? undefined : versionOf(rest)
  if (version !== undefined)
    return {
      known: { attribute, value: `${spelled} ${version.number}` },
      rest: rest.slice(version.length),
    }
  if (isModifier(rest, found.known)) return undefined
  return { known: { attribute, value: spelled }, rest }
}

/** `Python 3.12`, `Vue v3`; not `Jest 2 times`. */
function versionOf(rest: string): { readonly number: string; readonly length: number } | undefined {
  const match = /^\s+v?(?<number>\d+(?:\.(?:\d+|x\b))*\+?)(?![\p{L}\p{N}%:-])/iu.exec(rest)
  const number = match?.groups?.number
  if (match === null || number === undefined) return undefined
  const after = rest.slice(match[0].length)
  return follows.test(after) && !/^\s*\d/.test(after)
    ? { number, length: match[0].length }
    : undefined
}

const follows =
  /^\s*(?:$|[,;:.!?()+/&—–]|-\s|\d|v\d|(?:and|or|for|with|on|in|to|as|instead|now|here|because|since|when|but|so|plus|only|everywhere|over|rather|from|by|at|these|this|too|please|if|across|throughout|always|exclusively|not|again|until|via|behind|under|going|per|myself|ourselves|daily|mostly|anyway|then|is|are|it|all)\b)/i

/** `bun run`, `the python script`: the value only describes the next word. */
function isModifier(rest: string, { attribute }: KnownValue): boolean {
  if (follows.test(rest)) return false
  const next = rest.trim().toLowerCase()
  return ![
    ...attribute.nouns,
    'stack',
    'version',
    'tests',
    'files',
    'code',
    'shop',
    'indentation',
  ].some((noun) => next.startsWith(noun))
}

function isToolSpelling(spelled: string, { attribute }: KnownValue): boolean {
  return /^\p{Lu}/u.test(spelled) || attribute.name === 'indentation'
}

const separators =
  /\s*,\s*(?:and\s+|plus\s+|with\s+)?|\s+(?:and|plus|with|on top of)\s+|\s*[+&]\s*/i
const longestList = 8

/** The known values in a list: `FastAPI with PostgreSQL, Redis for caching`. */
export function valueList(phrase: string): readonly KnownValue[] {
  const [first, ...more] = phrase.split(separators).slice(0, longestList)
  const head = valuePhrase(first ?? '')
  if (!head) return []
  const known = [head.known]
  for (const part of more) {
    const next = valuePhrase(part)
    if (next && !known.some(({ attribute }) => attribute === next.known.attribute))
      known.push(next.known)
  }
  return known
}

/** What a choice is for (`for the admin panel`); undefined when it only repeats the attribute. */
export function purposeOf(rest: string, { attribute }: KnownValue): string | undefined {
  const match =
    /^\s*(?:for|in|as|on)\s+(?:the\s+|our\s+|my\s+|all\s+|a\s+|an\s+)?([\p{L}][\p{L}\p{N} /-]{1,40}?)(?=\s*(?:$|[,;.!?()]|\b(?:now|instead|because|since|so|and|but|from|with|which|that)\b))/iu.exec(
      rest,
    )
  const purpose = match?.[1]?.trim()
  if (purpose === undefined) return undefined
  const plain = comparable(purpose)
  const general =
    /^(?:(?:this |that |the |our |my |all )?(?:project|repo|repository|codebase|code base|app|application|team|company|workspace|monorepo|place|code|development|dev|work|contract|things|stuff)|this|it|everything|everywhere|now|all|here|home|us|me|general|most things|most|my|our|production|both|these days|years|months|weeks|ages|a while|a long time)$/
  return general.test(plain) || attribute.nouns.some((noun) => plain.includes(noun))
    ? undefined
    : plain
}

/** The attribute and the value of a claim about a known value. */
export function aboutValue({ attribute, value }: KnownValue): {
  readonly category: string
  readonly attribute: string
  readonly value: string
} {
  return { category: attribute.category, attribute: attribute.name, value }
}
