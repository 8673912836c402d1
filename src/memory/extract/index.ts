import { type DatedSentence, readDates } from '../understand/dates.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { findRepairs } from '../understand/repair.ts'
import { splitSentences } from '../understand/sentences.ts'
import { isOneOff, stanceOf } from '../understand/stance.ts'
import type { Claim } from './claim.ts'
import { decisionClaims } from './decision-claims.ts'
import { instructionClaims } from './instruction-claims.ts'
import { ownerOf } from './owner.ts'
import { personalClaims } from './personal-claims.ts'
import { usageClaims } from './usage-claims.ts'

const correctionOpening =
  /^(?:(?:oh|ok|okay|hm+|ah|no|wait|sorry|well|so|but|and|hey)[,.\s]+)*(?:actually|correction|on second thoughts?|scratch that|strike that|no[,.\s]+wait|wait[,.\s]+no|i take that back|change of plans?|update|sorry|i meant)[,.:;!—–\s-]+/i

/** What a message says that can be remembered. Dates in it are read as of when it was said. Total; unsure is nothing. */
export function claimsOf(
  message: string,
  speaker: 'user' | 'assistant' = 'user',
  saidAt?: number,
): readonly Claim[] {
  if (isDocument(message)) return []
  const { text, restore } = ownWords(message)
  return splitSentences(text)
    .flatMap((sentence) =>
      saidAt === undefined
        ? claimsIn(sentence, speaker)
        : datedClaims(sentence, speaker, readDates(sentence, saidAt), saidAt),
    )
    .map((claim) => ({ ...claim, text: restore(claim.text), quote: restore(claim.quote) }))
}

/** The claims of a sentence with its dates as the time for which they hold. */
function datedClaims(
  sentence: string,
  speaker: 'user' | 'assistant',
  { text, from, until }: DatedSentence,
  saidAt: number,
): readonly Claim[] {
  if (from === undefined && until === undefined) return claimsIn(sentence, speaker)
  if (until !== undefined && until <= saidAt) return endedClaims(sentence, text, speaker, until)
  // What has been so since a date is so.
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

/** `Until last week we used npm`: it was so, and is no more. */
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

function claimsIn(sentence: string, speaker: 'user' | 'assistant'): readonly Claim[] {
  const stance = stanceOf(sentence)
  const isOwn = stance === 'statement' || stance === 'request'
  if (speaker === 'assistant')
    return isOwn || stance === 'hypothetical' ? assistantDecisions(sentence) : []
  if (!isOwn || isOneOff(sentence)) return []
  const opened = correctionOpening.exec(sentence)
  const repaired = findRepairs(opened ? sentence.slice(opened[0].length) : sentence)[0]
  const said = (
    repaired?.text ?? (opened ? sentence.slice(opened[0].length) : sentence)
  ).replaceAll('’', "'")
  const owner = ownerOf(said)
  const personal = personalClaims(said, owner)
  const decisions = decisionClaims(said, owner, 'user')
  const claims =
    personal.length > 0
      ? personal
      : decisions.length > 0
        ? decisions
        : owner === undefined
          ? []
          : usageClaims(said, owner)
  const found = claims.length > 0 ? claims : instructionClaims(said, owner)
  return found.map((claim) => {
    const corrects = (opened !== null || repaired !== undefined) && claim.operation === 'state'
    return {
      ...claim,
      quote: sentence,
      ...(corrects
        ? { operation: 'replace' as const, confidence: Math.max(claim.confidence, 0.9) }
        : {}),
    }
  })
}

/** An assistant's prose yields choices and nothing else. */
function assistantDecisions(sentence: string): readonly Claim[] {
  const opened = correctionOpening.exec(sentence)
  const said = (opened ? sentence.slice(opened[0].length) : sentence).replaceAll('’', "'")
  return decisionClaims(said, 'project', 'assistant').filter(
    ({ attribute }) => attribute !== undefined,
  )
}
