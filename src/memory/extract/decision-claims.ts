import { leadIn, leadInWith } from '../understand/lead-in.ts'
import { cleanThing } from '../understand/replacements.ts'
import { withoutEndMark } from '../understand/sentences.ts'
import type { Claim, Owner } from './claim.ts'
import { purposeOf, valuePhrase } from './value-phrase.ts'

const decided =
  /\b(?:we|i|team|i've|we've|company)\s+(?:have\s+|has\s+|just\s+|finally\s+|now\s+|already\s+|all\s+)*(?:decided|chose|opted|agreed|settled|committed|standardi[sz]ed)\s+(?:(?:to\s+(?:use|adopt|go with|switch to|move to|migrate to|stick with)|on\s+using|on|for|with)\s+)?(?<value>.+)$/iu
const bareDecided = new RegExp(
  String.raw`^${leadInWith('final')}(?:decided|decision|decision made|agreed)(?::|\s+(?:to\s+(?:use|adopt|go with)|on|is))\s*(?<value>.+)$`,
  'iu',
)
const chosen = new RegExp(
  String.raw`^${leadIn}(?:let's|lets|let us|we're|we are|we'll|we will|i'll|i will|i'm|i am)\s+(?:now\s+|just\s+)*(?:go|going|proceed|proceeding|adopt|adopting|standardi[sz]e on|stick|sticking|build (?:it|this) (?:with|on))\s+(?:with\s+|on\s+)?(?:using\s+)?(?<value>.+)$`,
  'iu',
)
const used = new RegExp(
  String.raw`^${leadIn}(?:let's|lets|let us|we'll|we will|i'll|i will)\s+(?:now\s+|just\s+)*use\s+(?<value>.+)$`,
  'iu',
)
const better =
  /^(?:(?:actually|on second thought|hm+)[,\s]+)*(?<value>[\p{L}][\p{L}\p{N}.+# -]{1,30}?)\s+(?:would be|is|will be)\s+(?:a\s+)?(?:better|the better|a better fit|the right)\b/iu

/** `Use React for the frontend` as a whole sentence is a decision of an assistant, not an instruction. */
const settled =
  /^(?:decision:\s*)?use\s+(?<value>(?:\S+\s+){1,2}for\s+(?:the\s+)?\S+(?:\s+\S+)?)[.!]*$/iu

const deictic =
  /^(?:it|this|that|these|those|option|the (?:first|second|third|last|other|former|latter|same|plan|approach|one|above)|your|\d|number|both|all|whatever|whichever|[a-d]\b|them|him|her|me|you|us|to\b|that\b)/i
const longestDecision = 20

/** Choices: `we decided to use Vue`, `let's go with React`. A choice that names no known tool must be an explicit decision. */
export function decisionClaims(
  sentence: string,
  owner: Owner | undefined,
  speaker: 'user' | 'assistant',
): readonly Claim[] {
  const explicit = decided.exec(sentence) ?? bareDecided.exec(sentence)
  const match =
    explicit ??
    chosen.exec(sentence) ??
    used.exec(sentence) ??
    (speaker === 'assistant' ? (better.exec(sentence) ?? settled.exec(sentence)) : null)
  const worded = match?.groups?.value
  if (worded === undefined) return []
  const chosenThing = withoutEndMark(worded.trim())
  const phrase = explicit
    ? chosenThing.replace(/^(?:to\s+)?(?:(?:use|adopt|go with)\s+)?/i, '')
    : chosenThing
  if (deictic.test(phrase)) return []
  if (/\b(?:not|haven't|hasn't|never)\s+(?:yet\s+)?(?:decided|chosen|agreed)\b/i.test(sentence))
    return []
  // A decision against something is not a new decision; `resolve/` ends the earlier one.
  if (/^against\b/i.test(phrase)) return []
  const found = valuePhrase(phrase)
  // How a user likes to work is a preference, even when it is worded as a decision.
  if (!explicit && found && found.known.attribute.category !== 'stack' && speaker === 'user')
    return []
  const base = {
    kind: 'decision' as const,
    owner: owner === 'unsaid' ? ('unsaid' as const) : ('project' as const),
    category: found?.known.attribute.category ?? 'general',
    quote: sentence,
    text: withoutEndMark(sentence.trim()),
    confidence: speaker === 'assistant' ? 0.6 : 0.9,
  }
  if (found) {
    const purpose = purposeOf(found.rest, found.known)
    return [
      {
        ...base,
        operation: 'state',
        attribute:
          purpose === undefined
            ? found.known.attribute.name
            : `${found.known.attribute.name} for ${purpose}`,
        value: found.known.value,
      },
    ]
  }
  if (!explicit || sentence.split(/\s+/).length > longestDecision) return []
  const value = cleanThing(phrase)
  return value === undefined ? [] : [{ ...base, operation: 'state', value }]
}
