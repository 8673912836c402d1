import type { Attribute } from '../lexicon/attributes.ts'
import { type KnownValue, knownValue, namedAttribute } from '../lexicon/lookup.ts'
import { leadIn, leadInWith } from '../understand/lead-in.ts'
import { type Claim, factText, type Owner } from './claim.ts'
import { valuePhrase } from './value-phrase.ts'

/** Job titles, as alternatives of a pattern. */
export const roleNouns =
  'developer|dev|engineer|programmer|designer|manager|scientist|student|architect|analyst|founder|co-founder|consultant|administrator|admin|sysadmin|intern|lead|cto|ceo|freelancer|contractor|researcher|teacher|professor|tester|writer|maintainer|devops|dba|hobbyist|beginner|newbie|novice|specialist|owner|director|trainer|technician|contributor|mathematician|physicist|economist|statistician'

const verbs = `(?:is|are|will be|should be|must be|has to be|'s|(?:runs?|lives?|sits?|stays?) (?:on|in|at|with)|listens on)`
const leads = `^${leadInWith('as of (?:today|now)')}`
const fillers = String.raw`(?:now\s+|currently\s+|still\s+|actually\s+|at\s+|on\s+|port\s+|set to\s+|called\s+|named\s+)*`
const noun = String.raw`(?<noun>[\p{L}][\p{L}/ -]{1,30}?)`
const states = new RegExp(
  String.raw`\b(?<owner>my|our|the project's|this project's)\s+${noun}\s+${verbs}\s+${fillers}(?<value>(?:[^,;]|,(?=\d)){1,60}?)(?=\s*(?:$|[,;.!?]+(?:\s|$)|\b(?:now|because|since|instead|but|and)\b))`,
  'iu',
)
const theAttribute = new RegExp(
  String.raw`${leads}(?:the|this)\s+${noun}\s+${verbs}\s+${fillers}(?<value>.+?)[.!]*$`,
  'iu',
)
const bareAttribute = new RegExp(
  String.raw`${leads}${noun}\s+${verbs}\s+${fillers}(?<value>.+?)(?:\s+(?:from (?:now|here) on|these days|here|now))?[.!]*$`,
  'iu',
)
/** `I use Lapce as my editor`. */
const usedAs =
  /\b(?<owner>i|we)\s+(?:(?:now|currently|mostly|always|just|only|mainly)\s+)*(?:use|have|chose|picked|run)\s+(?<value>\S+(?:\s+\S+)?)\s+as\s+(?:my|our|the)\s+(?<noun>[\p{L}][\p{L}/ -]{1,30}?)(?=\s*(?:$|[,;.!?]|\b(?:now|because|since|instead|but|and)\b))/iu
/** `We moved our database to FoundationDB`. */
const movedTo =
  /\b(?<owner>i|we|i've|we've)\s+(?:(?:have|just|finally|recently)\s+)*(?:moved|switched|migrated|changed)\s+(?:my|our|the)\s+(?<noun>[\p{L}][\p{L}/ -]{1,30}?)\s+(?:over\s+)?to\s+(?<value>\S+(?:\s+\S+)?)(?=\s*(?:$|[,;.!?]|\b(?:now|because|since|last|this|yesterday|in)\b))/iu

/** `Vim is my favourite editor`. */
const isMine = new RegExp(
  String.raw`^${leadIn}(?<value>\S+(?:\s+\S+)?)\s+(?:is|are)\s+(?:now\s+)?(?<owner>my|our)\s+(?<noun>[\p{L}][\p{L}/ -]{1,30}?)(?=\s*(?:$|[,;.!?]|\b(?:now|because|since|these|instead|but|and)\b))`,
  'iu',
)

const calendar =
  /\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:tomorrow|today|week|month|quarter|year|sprint|spring|summer|autumn|fall|winter|eod|eow)\b/i
/** The form that a value must have where the lexicon has no values: `our budget is tight` does not name a budget. */
const shapes: Readonly<Record<string, RegExp>> = {
  deadline: calendar,
  budget: /\d/,
  port: /^\d{2,5}$/,
  node_version: /\d/,
  python_version: /\d/,
  coverage_threshold: /\d/,
  line_length: /\d/,
  timezone: /^(?:UTC|GMT|[A-Z]{2,4}T?\b|[A-Z][a-z]+\/[A-Z])/,
  name: /^\p{Lu}/u,
  team: /\p{Lu}|\d/u,
  location: /^\p{Lu}/u,
  employer: /^\p{Lu}/u,
  role: new RegExp(`\\b(?:${roleNouns})\\b`, 'i'),
}

const vague =
  /^(?:not|n't|too|very|so|null|undefined|nil|none|true|false|nan|blocked|stuck|off|on fire|tight|used|taken|busy|closed|wrong|right|fine|good|bad|ok|okay|great|broken|failing|slow|fast|done|missing|empty|correct|incorrect|the same|different|weird|unclear|unknown|that|this|it|there|here|gone|down|up|full|red|green|set|to\b|a bit|a little|also|still|already|always|never|only|just|pretty|quite|really|being|getting|going|trying|\w+ing\b|because|if|what|how|why|when|where|who)\b/i

interface Named {
  readonly noun: string
  readonly phrase: string
  readonly owner: Owner
  /** `ours`: `our editor`. `definite`: `the editor`. `bare`: `editor`. */
  readonly whose: 'ours' | 'definite' | 'bare'
}

/** Claims that name the attribute: `my editor is …`, `CI runs on …`, `I use … as my editor`. */
export function namedClaims(text: string, quote: string): readonly Claim[] {
  const named = namedIn(text)
  if (named === undefined) return []
  const [said = ''] = named.phrase.split(/\s*[,—–-]+\s+not\s+/i)
  const phrase = said.trim()
  if (phrase === '' || vague.test(phrase)) return []
  const attribute = namedAttribute(named.noun)
  const value = attribute && namedValue(attribute, phrase, named)
  if (attribute === undefined || value === undefined || value.split(/\s+/).length > 6) return []
  const free = attribute.values.length === 0
  const personal = attribute.category === 'personal' || attribute.category === 'project'
  const { owner } = named
  // `The budget is 40` may be about any budget. `resolve/` uses it where a budget is stored.
  if (free && named.whose !== 'ours') return []
  return [
    {
      kind: personal || attribute.category === 'stack' ? 'fact' : 'preference',
      owner,
      operation: 'state',
      category: attribute.category,
      attribute: attribute.name,
      value,
      text: factText(owner, attribute.name, value),
      quote,
      confidence: 0.8,
    },
  ]
}

function namedIn(text: string): Named | undefined {
  const used = usedAs.exec(text) ?? movedTo.exec(text) ?? isMine.exec(text)
  const owned = used ?? states.exec(text)
  const match = owned ?? theAttribute.exec(text) ?? bareAttribute.exec(text)
  const { noun: name, value: phrase, owner } = match?.groups ?? {}
  if (match === null || name === undefined || phrase === undefined) return undefined
  return {
    noun: name,
    phrase: phrase.trim(),
    owner: /^(?:my|i|i've)$/i.test(owner ?? '') ? 'user' : 'project',
    whose: owned ? 'ours' : theAttribute.test(text) ? 'definite' : 'bare',
  }
}

function namedValue(attribute: Attribute, phrase: string, { whose }: Named): string | undefined {
  if (attribute.values.length === 0) {
    if (whose === 'bare' || shapes[attribute.name]?.test(phrase) === false) return undefined
    return phrase.replace(/\s+now$/i, '')
  }
  const known: KnownValue | undefined = valuePhrase(phrase)?.known ?? knownValue(phrase)
  if (known?.attribute === attribute) return known.value
  // GitLab is a code host and can be a CI; English is not a programming language.
  if (known !== undefined)
    return attribute.category === 'tooling' &&
      known.attribute.category === 'tooling' &&
      known.value === phrase
      ? phrase
      : undefined
  return whose === 'ours' && isName(phrase) ? phrase : undefined
}

/** A name that the lexicon does not have: `Lapce`, `FoundationDB`, `tree-sitter2`. Words in capitals are only emphasis. */
function isName(phrase: string): boolean {
  const words = phrase.split(/\s+/)
  return (
    words.length <= 2 &&
    words.every((word) => /^[\p{L}\p{N}][\p{L}\p{N}.+#/-]*$/u.test(word)) &&
    /^\p{Lu}.*\p{Ll}|\p{Ll}\p{Lu}|\p{L}\d/u.test(words[0]!) &&
    !/^\p{Lu}\p{Ll}+(?:ed|ing|ly|able|less)$/u.test(phrase)
  )
}
