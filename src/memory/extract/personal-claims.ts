import { knownValue, namedAttribute } from '../lexicon/lookup.ts'
import type { Claim, Owner } from './claim.ts'
import { valuePhrase } from './value-phrase.ts'

const roleNouns =
  'developer|engineer|programmer|designer|manager|scientist|student|architect|analyst|founder|co-founder|consultant|administrator|admin|sysadmin|intern|lead|cto|ceo|freelancer|contractor|researcher|teacher|professor|tester|writer|maintainer|devops|dba|hobbyist|beginner|newbie|novice|specialist|owner|director|trainer|technician|contributor|mathematician|physicist|economist|statistician'
const role = new RegExp(
  String.raw`\b(?:i'm|i am|i work as|i'm now|i am now|i became|i've become)\s+(?:now\s+|currently\s+|actually\s+|just\s+)?(?:an?|the|your)\s+(?<value>(?:[\p{L}+#./-]+\s+){0,4}(?:${roleNouns}))\b`,
  'iu',
)
const name =
  /\b(?:[Mm]y name is|[Mm]y name's|[Cc]all me|[Ii] go by)\s+(?<value>\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)?)/u
const employer =
  /\b(?:[Ii] work|[Ii]'m working|[Ii] am working|[Ii] now work)\s+(?:at|for)\s+(?<value>\p{Lu}[\p{L}\p{N}&.'-]*(?:\s+\p{Lu}[\p{L}\p{N}&.'-]*){0,3})/u
const location =
  /\b(?:[Ii] live|[Ii]'m based|[Ii] am based|[Ii]'m located|[Ii] am located|[Ii] moved|[Ii]'ve moved|[Ww]e're based|[Ww]e are based)\s+(?:in|to)\s+(?<value>\p{Lu}[\p{L}.'-]*(?:,?\s+\p{Lu}[\p{L}.'-]*){0,3})/u
const timezone =
  /\b(?:my (?:time ?zone|tz) is|i'm (?:in|on) (?:the )?|i am (?:in|on) (?:the )?)(?<value>(?:UTC|GMT|[A-Z]{2,4}T)(?:\s?[+-]\d{1,2}(?::\d\d)?)?|[A-Z][a-z]+\/[A-Z][a-z_]+)\b/
const trait = /\b(?:i'm|i am)\s+(?:an?)\s+(?<value>\p{L}+(?:ian|ist))\b/iu
const states =
  /\b(?<owner>my|our|the project's|this project's)\s+(?<noun>[\p{L}][\p{L}/ -]{1,30}?)\s+(?:is|are|will be|'s)\s+(?:now\s+|currently\s+|still\s+|actually\s+|at\s+|on\s+|set to\s+)*(?<value>(?:[^,;]|,(?=\d)){1,60}?)(?=\s*(?:$|[,;.!?]+(?:\s|$)|\b(?:now|because|since|instead|but|and)\b))/iu
const theAttribute =
  /^(?:(?:by the way|btw|also|actually|fyi|oh|as of (?:today|now)|update|note|but|and|so)[,:]?\s+)*(?:the|this)\s+(?<noun>[\p{L}][\p{L}/ -]{1,30}?)\s+(?:is|are)\s+(?:now\s+|currently\s+)?(?<value>.+?)[.!]*$/iu

const calendar =
  /\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:tomorrow|today|week|month|quarter|year|sprint|spring|summer|autumn|fall|winter|eod|eow)\b/i
/** What a value of an attribute without a list has to look like: `our budget is tight` gives no budget. */
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
  location: /^\p{Lu}/u,
  employer: /^\p{Lu}/u,
  role: new RegExp(`\\b(?:${roleNouns})\\b`, 'i'),
}

const vague =
  /^(?:not|n't|too|very|so|null|undefined|nil|none|true|false|nan|blocked|stuck|off|on fire|tight|used|taken|busy|closed|wrong|right|fine|good|bad|ok|okay|great|broken|failing|slow|fast|done|missing|empty|correct|incorrect|the same|different|weird|unclear|unknown|that|this|it|there|here|gone|down|up|full|red|green|set|to\b|a bit|a little|also|still|already|always|never|only|just|pretty|quite|really|being|getting|going|trying|\w+ing\b|because|if|what|how|why|when|where|who)\b/i

/** What users say of themselves and of the project in so many words: `I'm a …`, `my editor is …`. */
export function personalClaims(sentence: string, owner: Owner | undefined): readonly Claim[] {
  const text = sentence.replaceAll('’', "'")
  const changed = /\b(?:now|actually|no longer|not anymore|became|become|moved|as of)\b/i.test(text)
  const fact = (attribute: string, value: string, words: string): Claim => ({
    kind: 'fact',
    owner: 'user',
    operation: changed ? 'replace' : 'state',
    category: 'personal',
    attribute,
    value,
    text: words,
    quote: sentence,
    confidence: changed ? 0.9 : 0.8,
  })
  const found: Claim[] = []
  const add = (pattern: RegExp, attribute: string, say: (value: string) => string): void => {
    const value = pattern
      .exec(text)
      ?.groups?.value?.trim()
      .replace(/[.,]+$/, '')
    if (value !== undefined && !/\b(?:fan|bit|big|huge|little)\b/i.test(value))
      found.push(fact(attribute, value, say(value)))
  }
  if (owner === 'user') {
    add(role, 'role', (value) => `user is a ${value}`)
    add(name, 'name', (value) => `user's name is ${value}`)
    add(employer, 'employer', (value) => `user works at ${value}`)
    add(location, 'location', (value) => `user lives in ${value}`)
    add(timezone, 'timezone', (value) => `user's timezone is ${value}`)
    if (found.length === 0) add(trait, 'trait', (value) => `user is a ${value}`)
  }
  return found.length > 0 ? found : namedClaims(text, sentence, changed)
}

function namedClaims(text: string, quote: string, changed: boolean): readonly Claim[] {
  const owned = states.exec(text)
  const match = owned ?? theAttribute.exec(text)
  const noun = match?.groups?.noun
  const phrase = match?.groups?.value?.trim()
  if (noun === undefined || phrase === undefined || phrase === '' || vague.test(phrase)) return []
  const attribute = namedAttribute(noun)
  if (!attribute) return []
  const known = valuePhrase(phrase)?.known ?? knownValue(phrase)
  const free = attribute.values.length === 0
  if (!free && known?.attribute !== attribute) return []
  if (free && shapes[attribute.name]?.test(phrase) === false) return []
  const value = free ? phrase.replace(/\s+now$/i, '') : known!.value
  if (value.split(/\s+/).length > 6) return []
  const owner: Owner = /^my$/i.test(owned?.groups?.owner ?? '') ? 'user' : 'project'
  const personal = attribute.category === 'personal' || attribute.category === 'project'
  return [
    {
      kind: personal || attribute.category === 'stack' ? 'fact' : 'preference',
      owner,
      operation: changed ? 'replace' : 'state',
      category: attribute.category,
      attribute: attribute.name,
      value,
      text: `${owner === 'user' ? "user's" : 'project'} ${attribute.name.replaceAll('_', ' ')}${owner === 'user' ? ' is' : ':'} ${value}`,
      quote,
      confidence: changed ? 0.9 : 0.8,
      ...(free && !owned ? { onlyReplaces: true as const } : {}),
    },
  ]
}
