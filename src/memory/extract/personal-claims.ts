import { knownValue } from '../lexicon/lookup.ts'
import type { Claim, Owner } from './claim.ts'
import { namedClaims, roleNouns } from './named-claims.ts'

const role = new RegExp(
  String.raw`\b(?:i'm|i am|i work as|i'm now|i am now|i became|i've become|i have become)\s+(?:now\s+|currently\s+|actually\s+|just\s+)?(?:(?:an?|the|your)\s+)?(?<value>(?:[\p{L}+#./-]+\s+){0,4}(?:${roleNouns}))\b`,
  'iu',
)
const name =
  /\b(?:[Mm]y name is|[Mm]y name's|[Cc]all me|[Ii] go by)\s+(?<value>\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)?)/u
const employer =
  /\b(?:[Ii] work|[Ii]'m working|[Ii] am working|[Ii] now work|[Ii](?:'ve| have)? (?:just )?started(?: working)?)\s+(?:at|for)\s+(?<value>\p{Lu}[\p{L}\p{N}&.'-]*(?:\s+\p{Lu}[\p{L}\p{N}&.'-]*){0,3})/u
const location =
  /\b(?:[Ii] live|[Ii]'m living|[Ii] am living|[Ii]'m based|[Ii] am based|[Ii]'m located|[Ii] am located|[Ii] moved|[Ii]'ve moved|[Ww]e're based|[Ww]e are based)\s+(?:in|to)\s+(?<value>\p{Lu}[\p{L}.'-]*(?:,?\s+\p{Lu}[\p{L}.'-]*){0,3})/u
const timezone =
  /\b(?:[Mm]y (?:time ?zone|tz) is|[Ii]'m (?:in|on) (?:the )?|[Ii] am (?:in|on) (?:the )?)(?<value>(?:UTC|GMT|[A-Z]{2,4}T)(?:\s?[+-]\d{1,2}(?::\d\d)?)?|[A-Z][a-z]+\/[A-Z][a-z_]+)\b/
/** `I'm an accountant, not a programmer`, `I'm the treasurer of the club`. */
const profession =
  /\b(?:i'm|i am)\s+(?:an?|the)\s+(?<value>(?:\p{Ll}+\s)?(?!(?:user|member|newcomer|beginner|believer|lover|sucker|loser|winner|stranger|customer|number|matter|owner|other|another|older|younger|better|bigger|former|latter|important|constant|distant|different|server|killer|never|ever|under|over)\b)\p{Ll}{4,}(?:er|or|ant|eer|keeper|smith|man|woman|nurse|clerk|chef|judge|pilot|coach|midwife))(?=\s*(?:$|[,;.!]|of (?:the|our|my)\b|and\b|by (?:trade|profession|training)\b|at \p{Lu}|so\b|not\b))/iu
/** `I work as a paralegal` */
const trade =
  /\bi work as an? (?<value>\p{L}+(?: \p{L}+){0,2}?)(?=\s*(?:$|[,;.!]|(?:and|at|for|in|so|by|but)\b))/iu
/** The name in an introduction: `Hi, I'm Zuzana, I run the bakery`. */
const introduced =
  /^(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood (?:morning|evening)|[Bb]tw)[\s,!.]+(?:(?:there|everyone|all)[\s,!.]+)?)?I(?:'m| am) (?<value>\p{Lu}\p{Ll}+(?:\s\p{Lu}\p{Ll}+)?)(?=\s*(?:,|and I\b|from\b|the new\b))/u
const trait = /\b(?:i'm|i am)\s+(?:an?)\s+(?<value>\p{L}+(?:ian|ist))\b/iu

/** Not a nationality (`I'm German, so …`), a feeling or the name of a tool. */
function isPersonName(word: string): boolean {
  return (
    word !== '' &&
    knownValue(word) === undefined &&
    !/(?:ish|ese|ian|ican|ed|ing|ful|less)$/.test(word) &&
    !/^(?:Dutch|French|German|Greek|Swiss|Czech|Thai|Not|So|Sorry|Sure|Very|Done|Back|Here|New|Just|Also|Still)$/.test(
      word,
    )
  )
}

/** What users say about themselves and the project: `I'm a …`, `my editor is …`. */
export function personalClaims(sentence: string, owner: Owner | undefined): readonly Claim[] {
  const text = sentence.replaceAll('’', "'")
  const fact = (attribute: string, value: string, words: string): Claim => ({
    kind: 'fact',
    owner: 'user',
    operation: 'state',
    category: 'personal',
    attribute,
    value,
    text: words,
    quote: sentence,
    confidence: 0.8,
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
    if (found.length === 0) add(trade, 'role', (value) => `user is a ${value}`)
    if (found.length === 0) add(profession, 'role', (value) => `user is a ${value}`)
    const [first = ''] = introduced.exec(text)?.groups?.value?.split(' ') ?? []
    if (!found.some(({ attribute }) => attribute === 'name') && isPersonName(first))
      add(introduced, 'name', (value) => `user's name is ${value}`)
    if (found.length === 0) add(trait, 'trait', (value) => `user is a ${value}`)
  }
  return found.length > 0 ? found : namedClaims(text, sentence)
}
