import { attributeKey } from '../attribute-key.ts'
import type { Claim } from '../extract/claim.ts'
import type { Place } from '../observe.ts'
import { statusAt } from '../state/as-of.ts'
import type { ItemState, MemoryState } from '../state/memory-state.ts'
import { changeCue, isAdditive } from '../understand/change-cues.ts'
import { readOpening } from '../understand/correction-cues.ts'
import { deniesChange } from '../understand/no-change.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { splitSentences, withoutEndMark } from '../understand/sentences.ts'
import { isOneOff, stanceOf } from '../understand/stance.ts'
import { findValues } from '../understand/values.ts'
import { readWords } from '../understand/words.ts'
import { isHeardAt, isVisible } from '../visible.ts'
import { type Candidate, findCandidates, findSaid } from './candidates.ts'
import { isAboutOtherPart, isForOtherPurpose, partIn } from './other-part.ts'
import { readSentence } from './read-sentence.ts'
import { type ResolvedChange, resolveChange } from './resolve-change.ts'

export interface ResolveOptions {
  readonly place: Place
  readonly now: number
  /** The id of the message, whose own sentences are not earlier statements. */
  readonly message: string
  /** The sentences that are known to change an earlier statement. */
  readonly disagreeing: ReadonlySet<string>
}

/**
 * Checks the claims of a user's message against what is stored. A sentence that changes a stored item yields that
 * change; a claim about another part, or in addition to what holds, gets a key of its own.
 */
export function resolveClaims(
  state: MemoryState,
  text: string,
  claims: readonly Claim[],
  { place, now, message, disagreeing }: ResolveOptions,
): readonly Claim[] {
  if (isDocument(text)) return claims
  const own = ownWords(text)
  const joined = joinFragments(splitSentences(own.text))
  const sentences = joined.map(({ text }) => own.restoreCode(text))
  const isCurrent = (entry: ItemState): boolean =>
    isVisible(entry.item.scope, place) && statusAt(entry, now) === 'current'
  // A long message is compared with fewer items per sentence, because it must not block the process for long.
  const most = Math.max(fewestCompared, Math.floor(mostCompared / sentences.length))
  /** The change by a sentence, or by several that are read as one. */
  const best: FindBest = (sentence, read = [sentence]) => {
    const isNow = ({ item }: Candidate): boolean => isCurrent(state.items.get(item.id)!)
    const stored = findCandidates(state, sentence).filter(isNow).slice(0, most)
    const found = bestChange(sentence, stored)
    const isKnown = read.some((each) => disagreeing.has(own.restore(each)))
    if (found !== undefined || isKnown || sentences.length > shortMessage) return found
    const said = findSaid(state, sentence)
      .filter((each) => each.message.id !== message && isHeardAt(each.message, place))
      .slice(0, most)
    const change = bestChange(sentence, said)
    if (change?.claim.operation !== 'replace') return undefined
    const earlier = said.find(({ item }) => item.id === change.claim.target)!.item
    return { ...change, claim: { ...change.claim, earlier } }
  }
  /** Quotes what the user said, which may be less smooth than the sentence that was read. */
  const spoken = (claim: Claim, read: readonly Joined[]): Claim => {
    const isLiteral = own.text.includes(claim.quote)
    const quote = isLiteral ? claim.quote : read.map(({ words }) => words).join(' ')
    return { ...claim, quote: own.restore(quote) }
  }
  const left = new Set(claims)
  const resolved: Claim[] = []
  for (const [at, sentence] of sentences.entries()) {
    const said = claims.filter(({ quote }) => isPartOf(quote, own.restore(sentence)))
    const found = withNext(best, best(sentence), sentence, sentences[at + 1])
    if (found === undefined) continue
    for (const claim of said) left.delete(claim)
    const read = joined.slice(at, found.claim.quote === sentence ? at + 1 : at + 2)
    resolved.push(spoken(withCorrection(found.claim, sentences[at + 1]), read))
  }
  // `We raised the limit. It is 250 now.`: the value is in another sentence than the property.
  if (resolved.length === 0)
    for (const [at, sentence] of sentences.slice(1).entries()) {
      if (sentences.length > shortMessage && !pointsBack.test(sentence)) continue
      const found = bestOfBoth(best, sentences[at]!, sentence)
      if (found === undefined || found.claim.operation === 'end') continue
      resolved.push(spoken(found.claim, joined.slice(at, at + 2)))
      break
    }
  const beside = [...left].map((claim) => {
    const apart = rivals(state, claim).filter(isCurrent)
    // A backend developer and a tech lead are two roles of one person, not of two parts of a project.
    const isPersonal = claim.category === 'personal'
    const differs = isPersonal
      ? apart.length > 0 && isAdditive(claim.quote)
      : apart.some((entry) => isApart(claim.quote, entry))
    if (claim.operation === 'end') return claim
    if (differs) return withOwnKey(claim)
    const at = sentences.findIndex((sentence) => isPartOf(claim.quote, own.restore(sentence)))
    const said = withCorrection(claim, sentences[at + 1])
    return saysChange(claim.quote) ? { ...said, operation: 'replace' as const } : said
  })
  return [...resolved, ...beside]
}

type FindBest = (sentence: string, read?: readonly string[]) => ResolvedChange | undefined

/** The change by two sentences that are read as one. */
function bestOfBoth(best: FindBest, first: string, second: string): ResolvedChange | undefined {
  return best(`${withoutEndMark(first)}, ${second}`, [first, second])
}

/** The clearest change of one of the candidates by a sentence or by one of its clauses. */
function bestChange(
  sentence: string,
  candidates: readonly Candidate[],
): ResolvedChange | undefined {
  for (const part of [sentence, ...clausesOf(sentence)]) {
    const reading = readSentence(part)
    if (reading === undefined) continue
    const found = candidates
      .flatMap((candidate) => resolveChange(reading, candidate) ?? [])
      .toSorted((a, b) => b.score - a.score)[0]
    if (found !== undefined) return { ...found, claim: { ...found.claim, quote: sentence } }
  }
  return undefined
}

const onlyCue =
  /^(?:(?:hm+|oh|ah|ugh|well|wait|no|nope|sorry|actually|correction|scratch that|my bad)[,\s]*)+[.!]*$/iu

const mostCompared = 240
const fewestCompared = 8
const shortMessage = 6

/** `It is 250 now`, `That makes 9`: the property is in the sentence before. */
const pointsBack =
  /^(?:(?:and|so|but|now|please|sorry|then)[,\s]+)*(?:it|it's|its|that|that's|this|these|those|they|they're|we|we're|he|she|i|i'm|make|use|now|the (?:new|next) one)\b|^\S+(?:\s\S+){0,3}$/iu

const longSentence = 14

/**
 * The clauses of a long sentence, because a single one may state the whole change. Questions, conditions and the like have
 * none: what makes a sentence uncertain applies to all of its clauses.
 */
function clausesOf(sentence: string): readonly string[] {
  if (sentence.split(/\s+/).length < longSentence) return []
  const stance = stanceOf(sentence)
  if ((stance !== 'statement' && stance !== 'request') || isOneOff(sentence)) return []
  if (deniesChange(sentence)) return []
  const clauses = sentence.split(
    /(?:[,;:—–]|\s-)\s+(?:and|but|so|which is why)?\s*|\s(?:and|but|so|because|until)\s+(?=(?:we|i|they|our|the|it|\p{Lu})\b)/u,
  )
  return clauses.length < 2 ? [] : clauses.filter((clause) => clause.split(/\s+/).length >= 3)
}

/** Applies a correction in the next sentence: `The port is 5001. Sorry, 5002.` */
function withCorrection(claim: Claim, next: string | undefined): Claim {
  const opening = next === undefined ? undefined : readOpening(next)
  if (opening === undefined || opening.kind === 'none' || claim.value === undefined) return claim
  const rest = opening.rest.trim().replace(/^(?:make (?:it|that)|use|it's|go with)\s+/i, '')
  if (rest.split(/\s+/).length > 4) return claim
  const [said] = findValues(readWords(claim.value).words)
  const value = findValues(readWords(rest).words).find(
    ({ kind, sort }) => kind === (said?.kind ?? 'name') && (kind !== 'name' || sort === said?.sort),
  )
  if (value === undefined) return claim
  return { ...claim, value: value.text, text: claim.text.replace(claim.value, value.text) }
}

/** Adds a successor that is in the next sentence: `We dropped Kafka. Events go through NATS.` */
function withNext(
  best: FindBest,
  found: ResolvedChange | undefined,
  sentence: string,
  next: string | undefined,
): ResolvedChange | undefined {
  if (found === undefined || next === undefined) return found
  // `No more SVN! Everything is in Git.`: a refusal may have a successor too.
  const isRefusal = /^no /i.test(found.claim.value ?? '')
  if (found.claim.operation !== 'end' && !isRefusal) return found
  const joined = bestOfBoth(best, sentence, next)
  if (joined === undefined || joined.claim.value === undefined) return found
  return joined.claim.target === found.claim.target ? joined : found
}

/** Whether a claim may replace an item of another scope: `I am a principal engineer now`. */
function saysChange(sentence: string): boolean {
  return changeCue(sentence) === 'strong' || readOpening(sentence).kind === 'corrects'
}

function isPartOf(quote: string, sentence: string): boolean {
  return sentence.includes(quote) || quote.includes(sentence)
}

function rivals(state: MemoryState, { attribute }: Claim): readonly ItemState[] {
  return attribute === undefined ? [] : state.withAttribute(attributeKey(attribute))
}

function isApart(sentence: string, { item }: ItemState): boolean {
  return (
    isAdditive(sentence) ||
    isAboutOtherPart(sentence, item, false) ||
    isAboutOtherPart(
      item.source.quote ?? item.text,
      { ...item, text: sentence, source: { origin: 'user', quote: sentence } },
      false,
    ) ||
    isForOtherPurpose(sentence, item)
  )
}

/** A claim about a part has the key of that part: `language of the frontend`. */
function withOwnKey(claim: Claim): Claim {
  const part = partIn(claim.quote)
  const attribute =
    part === undefined ? `additional ${claim.attribute}` : `${claim.attribute} of ${part}`
  return { ...claim, operation: 'state', attribute }
}

/** One or two sentences as they are read, and the words of the message that they stand for. */
interface Joined {
  readonly text: string
  readonly words: string
}

/** Joins a short question or a cue with the sentence after it: `Dagger? No, Hilt.`, `hm no. 45 s.` */
function joinFragments(sentences: readonly string[]): readonly Joined[] {
  const joined: Joined[] = []
  for (const sentence of sentences) {
    const last = joined.at(-1)
    const text = last === undefined ? undefined : joinedText(last.text, sentence)
    if (last === undefined || text === undefined) joined.push({ text: sentence, words: sentence })
    else joined[joined.length - 1] = { text, words: `${last.words} ${sentence}` }
  }
  return joined
}

/** Undefined when the first sentence is no fragment. */
function joinedText(fragment: string, sentence: string): string | undefined {
  if (onlyCue.test(fragment)) return `sorry, ${sentence}`
  if (!/^\S+(?:\s\S+)?\?$/.test(fragment)) return undefined
  const { kind, rest } = readOpening(sentence)
  const asked = fragment.slice(0, -1)
  return kind === 'none' ? `${asked}, ${sentence}` : `not ${asked}, ${rest.trim()}`
}
