import { opensAfterNo, readOpening } from '../understand/correction-cues.ts'
import { type DatedSentence, readDates } from '../understand/dates.ts'
import { leadIn } from '../understand/lead-in.ts'
import { deniesChange } from '../understand/no-change.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { findRepairs } from '../understand/repair.ts'
import { splitSentences } from '../understand/sentences.ts'
import { isOneOff, stanceOf } from '../understand/stance.ts'
import { withUsualSpelling } from '../understand/usual-spelling.ts'
import { withoutWithdrawnWishes } from '../understand/withdrawn-wishes.ts'
import type { Claim, Owner } from './claim.ts'
import { decisionClaims } from './decision-claims.ts'
import { fragmentClaims } from './fragment-claims.ts'
import { instructionClaims, rememberedClaims } from './instruction-claims.ts'
import { openClaims } from './open-claims.ts'
import { ownerOf } from './owner.ts'
import { personalClaims } from './personal-claims.ts'
import { usageClaims } from './usage-claims.ts'

/**
 * The claims in a message. Whether they change something is decided in `resolve/`. Dates in the message are relative to
 * `saidAt`. Unclear sentences give no claim. Never throws.
 */
export function claimsOf(
  message: string,
  speaker: 'user' | 'assistant' = 'user',
  saidAt?: number,
): readonly Claim[] {
  if (isDocument(message)) return []
  const { text, restore } = ownWords(message)
  return withoutWithdrawnWishes(splitSentences(text))
    .flatMap((sentence) =>
      saidAt === undefined
        ? claimsIn(sentence, speaker)
        : datedClaims(sentence, speaker, readDates(sentence, saidAt), saidAt),
    )
    .map((claim) => ({ ...claim, text: restore(claim.text), quote: restore(claim.quote) }))
}

/** The claims of a sentence, valid for the dates that it names. */
function datedClaims(
  sentence: string,
  speaker: 'user' | 'assistant',
  { text, from, until }: DatedSentence,
  saidAt: number,
): readonly Claim[] {
  if (from === undefined && until === undefined) return claimsIn(sentence, speaker)
  if (until !== undefined && until <= saidAt) return endedClaims(sentence, text, speaker, until)
  // `We have used pnpm since March` is read as `we use pnpm`.
  const present = text.replace(
    /\b(i|we|it|team|project)(?:'ve|'s| have| has)\s+(?:been\s+using|been\s+on|used)\b/iu,
    '$1 use',
  )
  return claimsIn(from === undefined ? text : present, speaker).map((claim) => ({
    ...claim,
    quote: sentence,
    ...(from === undefined ? {} : { since: from }),
    ...(until === undefined || claim.operation === 'end' ? {} : { until }),
  }))
}

/** `Until last week we used npm` ends npm. */
function endedClaims(
  sentence: string,
  text: string,
  speaker: 'user' | 'assistant',
  until: number,
): readonly Claim[] {
  const present = text.replace(/\b(i|we)\s+(?:have\s+)?used(?:\s+to\s+use)?\b/iu, '$1 use')
  return claimsIn(present, speaker)
    .filter(({ value, attribute }) => value !== undefined && attribute !== undefined)
    .map((claim) => ({
      ...claim,
      operation: 'end' as const,
      old: claim.value!,
      quote: sentence,
      since: until,
    }))
}

const fromNowOn = new RegExp(
  String.raw`^${leadIn}(?:from (?:now|here) on|going forward|in future|henceforth|as a rule)[,:\s]+`,
  'i',
)

const rulesOut = new RegExp(String.raw`,\s+no\s+(?!(?:${opensAfterNo}|i|it|we|the)\b)[^\s,]`, 'i')

/** `At work I use VS Code`, `on my laptop we …`: what follows holds on that occasion only. */
const occasion =
  /^(?<where>(?:at|on|in|for|during)\s+(?:my |the |our )?(?:work|home|day job|office|laptop|desktop|own projects?|side projects?|free time|private projects?|weekends?|servers?|\p{L}+ (?:laptop|machine|network|repos?))),?\s+(?=i\b|we\b|i'm\b|we're\b)/iu

function claimsIn(sentence: string, speaker: 'user' | 'assistant'): readonly Claim[] {
  const when = occasion.exec(sentence)
  if (when?.groups?.where === undefined || speaker === 'assistant')
    return claimsOfSentence(sentence, speaker)
  const where = when.groups.where.toLowerCase()
  return claimsOfSentence(sentence.slice(when[0].length), speaker).map((claim) => ({
    ...claim,
    quote: sentence,
    text: `${claim.text} (${where})`,
    ...(claim.attribute === undefined ? {} : { attribute: `${claim.attribute} ${where}` }),
  }))
}

function claimsOfSentence(sentence: string, speaker: 'user' | 'assistant'): readonly Claim[] {
  const stance = stanceOf(sentence)
  const isOwn = stance === 'statement' || stance === 'request'
  if (speaker === 'assistant')
    return isOwn || stance === 'hypothetical' ? assistantDecisions(sentence) : []
  if (deniesChange(withUsualSpelling(sentence))) return []
  if (isOneOff(sentence) && !/\b(?:decided|decision)\b/i.test(sentence)) return []
  // `I'm a data engineer, so assume I know SQL`: the part before `so` is still a statement.
  const reason = /^(?<said>.+?),\s+so\s+/iu.exec(sentence)?.groups?.said
  if (!isOwn)
    return reason === undefined
      ? []
      : claimsIn(reason, speaker).map((claim) => ({ ...claim, quote: sentence }))
  const opening = readOpening(sentence)
  const rest = opening.kind === 'corrects' ? opening.rest : sentence
  // `REST, no GraphQL` rules something out; `REST, no, GraphQL` corrects.
  const repaired = rulesOut.test(rest) ? undefined : findRepairs(rest)[0]
  const said = withUsualSpelling(repaired?.text ?? rest)
  const lasting = fromNowOn.exec(sentence)
  const bare = lasting ? fragmentClaims(sentence.slice(lasting[0].length)) : []
  const found = bare.length > 0 ? bare : plainClaims(said, ownerOf(said))
  return found.map((claim) => ({ ...claim, quote: sentence }))
}

function plainClaims(said: string, owner: Owner | undefined): readonly Claim[] {
  const personal = personalClaims(said, owner)
  if (personal.length > 0) return personal
  const decisions = decisionClaims(said, owner, 'user')
  if (decisions.length > 0) return decisions
  const used = owner === undefined ? clauseClaims(said) : usageClaims(said, owner)
  if (used.length > 0) return used
  const remembered = rememberedClaims(said)
  if (remembered.length > 0) return remembered
  const instructions = instructionClaims(said, owner)
  if (instructions.length > 0) return instructions
  const clauses = owner === undefined ? [] : clauseClaims(said)
  return clauses.length > 0 ? clauses : openClaims(said)
}

const dependent =
  /^(?:when|whenever|while|after|before|because|once|as soon as|as long as|in order|to|for|with|without|given|though|although|even|where|wherever|until|instead|rather|not|in|on|at|by|from|under|as|looking|reading|seeing|judging|according)\b/i

/** The claims of a later clause that is about the user or the project: `Webpack is gone, we're on Vite now`. */
function clauseClaims(sentence: string): readonly Claim[] {
  if (dependent.test(sentence)) return []
  const [, ...later] = sentence.split(/[,;:—–]\s+(?:and\s+|but\s+|so\s+)?/u)
  for (const clause of later) {
    const owner = ownerOf(clause)
    if (owner !== 'user' && owner !== 'project') continue
    const personal = personalClaims(clause, owner)
    const claims = personal.length > 0 ? personal : usageClaims(clause, owner)
    if (claims.length > 0) return claims
  }
  return []
}

/** From an assistant's text only decisions are taken. */
function assistantDecisions(sentence: string): readonly Claim[] {
  const { kind, rest } = readOpening(sentence)
  const said = (kind === 'corrects' ? rest : sentence).replaceAll('’', "'")
  return decisionClaims(said, 'project', 'assistant').filter(
    ({ attribute }) => attribute !== undefined,
  )
}
