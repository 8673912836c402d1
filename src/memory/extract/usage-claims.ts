import { comparable } from '../comparable.ts'
import { doesJob, type KnownValue, knownValue } from '../lexicon/lookup.ts'
import { leadInWith } from '../understand/lead-in.ts'
import { cleanThing, findReplacements } from '../understand/replacements.ts'
import type { Claim, Owner } from './claim.ts'
import { purposeOf, valueList, valuePhrase } from './value-phrase.ts'

const adverbs = String.raw`(?:\s+(?:always|mostly|usually|generally|typically|currently|now|still|already|only|just|really|exclusively|mainly|primarily|normally|both|also|actually|all|strictly|strongly|much|definitely|would|have|has|been|officially|recently|finally|tend to))*`
const usage = new RegExp(
  String.raw`\b(?:i|we|i'm|we're|i've|we've|i'd|team|project|repo|repository|codebase|app|application|company|service|backend|frontend|api|stack|tests?|it|site|package|library|monorepo|product|machine|laptop|computer|everything|let's|lets)${adverbs}(?:\s+(?:am|are|is))?${adverbs}\s+(?:use|uses|using|on|(?:test|tests|format|formats|lint|lints|build|builds|bundle|bundles|deploy|deploys|develop|code|style|host|monitor|ship|indent|indents|log|logs)\s+(?:with|using|via)|run|runs|running|running on|run on|runs on|goes through|go through|follow|follows|(?:write|writes|wrote)\s+(?:everything|it all|all (?:of it|our code|code)|(?:our|the)\s+\w+)\s+in|code in|work in|write|writes|develop in|deploy to|deploys to|deploy on|deployed on|hosted on|host on|built with|built on|build with|written in|based on|standardi[sz]ed on|rely on|relies on|work with|prefer|prefers|like|love|favou?r|stick to|stick with|want to use|want|go with|going with|adopted|chose|picked)\s+(?<value>.+)$`,
  'iu',
)
/** `The codebase is Elixir`, `this repo is pnpm only`, `all new code must be TypeScript`. */
const projectIs = new RegExp(
  String.raw`\b(?:(?:project|repo|repository|codebase|backend|frontend|stack|monorepo|app|application|tests?)\s+(?:is|are)|(?:we|i)(?:'re|'m|\s+are|\s+am)\s+an?(?=\s+\S+(?:\s+\S+)?\s+(?:shop|house|team|company)\b)|(?:all|every|any)\s+(?:new\s+|our\s+|the\s+)*(?:code|files?|modules?|services?|components?|packages?|tests?|scripts?)\s+(?:must|should|has to|have to|needs? to|is to|are to)\s+(?:be|use))${adverbs}\s+(?:written\s+)?(?:in\s+|with\s+)?(?<value>.+)$`,
  'iu',
)
/** `I work on a Mac`: only an operating system counts, because people also work on projects. */
const worksOn =
  /\b(?:i|we)\s+(?:mostly\s+|mainly\s+|only\s+)?(?:work|develop|code)\s+on\s+(?<value>.+)$/iu
const instruction = new RegExp(
  String.raw`^${leadInWith('no|always')}(?:let's\s+|lets\s+)?(?:always\s+)?(?:use|go with|stick to|stick with|prefer|indent (?:with|using)|(?:answer|respond|reply|speak)(?: to me)? in)\s+(?<value>.+)$`,
  'iu',
)

/** `No semicolons please`, `we don't use semicolons`, for attributes where "none" is a value. */
const withoutIt =
  /^(?:(?:please|we|i)\s+)?(?:no|don't use|do not use|never use)\s+(?<thing>\w+)(?:,?\s+please)?[.!]*$/iu
const likes = /\b(?:prefer|prefers|like|love|favou?r|always|usually|want|stick)\b/i
const longestInstruction = 9

/** Claims about tools, stacks and styles that the lexicon knows: `we use pnpm`, `switch from jest to vitest`. */
export function usageClaims(sentence: string, owner: Owner): readonly Claim[] {
  return usedValues(sentence, owner).filter(({ attribute = '' }) => isSaidOf(sentence, attribute))
}

const testsOnly = /^(?:(?:the|our|all|my)\s+)*(?:unit |integration |e2e )?tests?\b/i
const namesBranch = /\b(?:default|main|primary|trunk)\s+branch\b|\bas (?:the|our|my) default\b/i

/** What tests run on is not what the project runs on, and the current branch is not the default branch. */
function isSaidOf(sentence: string, attribute: string): boolean {
  if (attribute === 'default_branch') return namesBranch.test(sentence)
  return !testsOnly.test(sentence) || /^(?:test|e2e)_/.test(attribute)
}

function usedValues(sentence: string, owner: Owner): readonly Claim[] {
  const without = withoutIt.exec(sentence)?.groups?.thing
  const none = without === undefined ? undefined : knownValue(`no ${without}`)
  if (none) return [knownClaim(sentence, owner, none, { rest: '', wish: false })]
  const replaced = findReplacements(sentence).flatMap((replacement) =>
    replacementClaims(sentence, owner, replacement),
  )
  if (replaced.length > 0) return replaced
  const told = (owner === 'unsaid' ? null : statedUse(sentence)) ?? shortInstruction(sentence)
  const phrase = told?.groups?.value
  if (
    phrase === undefined ||
    /\b(?:not|n't|never)\s+(?:\w+\s+)?(?:use|using|run|like|prefer|want)\b/i.test(sentence)
  )
    return []
  const wish = likes.test(sentence)
  const values = valueList(phrase)
  return values.flatMap((listed, index) => {
    const known = values.length === 1 ? withAddition(listed, phrase) : listed
    const rest = index === 0 ? (valuePhrase(phrase)?.rest ?? '') : ''
    if (isOtherUse(known, rest)) return []
    return knownClaim(sentence, owner, known, {
      rest,
      wish,
    })
  })
}

function statedUse(sentence: string): RegExpExecArray | null {
  const machine = worksOn.exec(sentence)
  if (valuePhrase(machine?.groups?.value ?? '')?.known.attribute.name === 'operating_system')
    return machine
  const is = projectIs.exec(sentence)
  return usage.exec(sentence) ?? (valuePhrase(is?.groups?.value ?? '') ? is : null)
}

/** `PostgreSQL with a caching layer` is a different value than `PostgreSQL`. */
function withAddition(known: KnownValue, phrase: string): KnownValue {
  const addition = /^\s+(?:with|behind|plus)\s+[^,;.!?]{3,40}/i.exec(
    valuePhrase(phrase)?.rest ?? '',
  )?.[0]
  if (addition === undefined) return known
  return {
    ...known,
    value: known.value + addition.replace(/\s+(?:now|instead|please|from now on)$/i, ''),
  }
}

const fileKinds =
  /^(?:ya?ml|json|makefiles?|html|css|markdown|xml|toml|shell scripts?|sql)(?: files?)?$/i

/** `tabs for the settings page` is not about indentation. */
function isOtherUse(known: KnownValue, rest: string): boolean {
  if (known.attribute.category !== 'style') return false
  const purpose = purposeOf(rest, known)
  if (purpose === undefined || fileKinds.test(purpose)) return false
  return knownValue(purpose)?.attribute.name !== 'language'
}

function shortInstruction(sentence: string): RegExpExecArray | null {
  if (sentence.split(/\s+/).length > longestInstruction) return null
  return instruction.exec(sentence)
}

function replacementClaims(
  sentence: string,
  owner: Owner,
  replacement: { readonly old?: string; readonly new?: string },
): readonly Claim[] {
  const old = replacement.old === undefined ? undefined : knownThing(replacement.old)
  if (replacement.new === undefined) return []
  const phrase = valuePhrase(replacement.new)
  const newer = phrase === undefined ? undefined : inPlaceOf(old, phrase.known)
  if (phrase && newer) {
    return [knownClaim(sentence, owner, newer, { rest: phrase.rest, wish: likes.test(sentence) })]
  }
  const value = cleanThing(replacement.new)
  if (!old || value === undefined || comparable(value) === comparable(old.value)) return []
  if (value.split(/\s+/).length > 4) return []
  const known: KnownValue = { attribute: old.attribute, value }
  return [knownClaim(sentence, owner, known, { rest: '', wish: false })]
}

function inPlaceOf(old: KnownValue | undefined, newer: KnownValue): KnownValue {
  return old !== undefined && doesJob(newer, old.attribute.name)
    ? { ...newer, attribute: old.attribute }
    : newer
}

function knownThing(thing: string): KnownValue | undefined {
  return valuePhrase(thing)?.known ?? knownValue(thing)
}

interface ClaimShape {
  readonly rest: string
  /** The sentence states a preference, not a fact. */
  readonly wish: boolean
}

function knownClaim(
  sentence: string,
  speaker: Owner,
  known: KnownValue,
  { rest, wish }: ClaimShape,
): Claim {
  const { attribute, value } = known
  const purpose = purposeOf(rest, known)
  const wants = speaker === 'user' && /\bi (?:want|would like|'d like|need)\b/i.test(sentence)
  // What a project is built with belongs to the project; what a user likes belongs to the user.
  const built = attribute.category === 'stack' && speaker === 'user' && (wants || !wish)
  const owner = built ? 'project' : speaker
  const asFact = owner === 'user' && /\bprefer/i.test(sentence)
  const stackOfProject = owner === 'project' && attribute.category === 'stack'
  const kind = asFact || (stackOfProject && !wish) ? 'fact' : 'preference'
  const who = owner === 'user' ? 'user' : 'project'
  const verb = asFact ? 'prefers' : 'uses'
  return {
    kind,
    owner,
    operation: 'state',
    category: attribute.category,
    attribute: purpose === undefined ? attribute.name : `${attribute.name} for ${purpose}`,
    value,
    text:
      kind === 'fact'
        ? `${who} ${verb} ${value}${purpose === undefined ? '' : ` for ${purpose}`}`
        : `${attribute.name.replaceAll('_', ' ')}${purpose === undefined ? '' : ` for ${purpose}`}: ${value}`,
    quote: sentence,
    confidence: 0.8,
  }
}
