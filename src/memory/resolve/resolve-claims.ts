import { attributeKey } from '../attribute-key.ts'
import type { Claim } from '../extract/claim.ts'
import { namesValue } from '../lexicon/lookup.ts'
import type { Place } from '../observe.ts'
import { statusAt } from '../state/as-of.ts'
import type { ItemState, MemoryState } from '../state/memory-state.ts'
import { isAdditive } from '../understand/change-cues.ts'
import { isDocument, ownWords } from '../understand/own-words.ts'
import { splitSentences } from '../understand/sentences.ts'
import { isVisible } from '../visible.ts'
import { candidateItems } from './candidates.ts'
import { otherPart, otherPurpose, partIn } from './parts.ts'
import { type ResolvedChange, resolveChange } from './resolve-changes.ts'

/**
 * Checks the claims of a user's message against what is stored. A sentence that changes a stored item yields that
 * change; a claim about another part, or in addition to what holds, gets a key of its own.
 */
export function resolveClaims(
  state: MemoryState,
  text: string,
  claims: readonly Claim[],
  { place, now }: { readonly place: Place; readonly now: number },
): readonly Claim[] {
  if (isDocument(text)) return claims
  const own = ownWords(text)
  const sentences = joinFragments(splitSentences(own.text)).map((each) => own.restore(each))
  const isCurrent = (entry: ItemState): boolean =>
    isVisible(entry.item.scope, place) && statusAt(entry, now) === 'current'
  const best = (sentence: string): ResolvedChange | undefined =>
    candidateItems(state, sentence)
      .filter(isCurrent)
      .flatMap((entry) => resolveChange(sentence, entry.item) ?? [])
      .toSorted((a, b) => b.score - a.score)[0]
  const changes = (claim: Claim): boolean =>
    rivals(state, claim).some(
      (entry) =>
        isCurrent(entry) &&
        !namesValue(claim.value, entry.item.value) &&
        !isApart(claim.quote, entry),
    )
  const left = new Set(claims)
  const resolved: Claim[] = []
  for (const [at, sentence] of sentences.entries()) {
    const said = claims.filter(({ quote }) => sentence.includes(quote) || quote.includes(sentence))
    if (said.some(changes)) continue
    const found = withNext(best, best(sentence), sentence, sentences[at + 1])
    if (found === undefined) continue
    for (const claim of said) left.delete(claim)
    resolved.push(found.claim)
  }
  // `We raised the limit. It is 250 now.`: the value is in another sentence than the property.
  if (resolved.length === 0)
    for (const [at, sentence] of sentences.slice(1).entries()) {
      const found = best(`${sentences[at]!.replace(/[.!]+$/, '')}, ${sentence}`)
      if (found === undefined || found.claim.operation === 'end') continue
      resolved.push(found.claim)
      break
    }
  const beside = [...left].map((claim) => {
    const apart = rivals(state, claim).filter(isCurrent)
    const differs = apart.some((entry) => isApart(claim.quote, entry))
    return differs && claim.operation !== 'end' ? withOwnKey(claim) : claim
  })
  return [...resolved, ...beside]
}

/** `We dropped Kafka. Events go through NATS.`: the successor may be in the next sentence. */
function withNext(
  best: (sentence: string) => ResolvedChange | undefined,
  found: ResolvedChange | undefined,
  sentence: string,
  next: string | undefined,
): ResolvedChange | undefined {
  if (found?.claim.operation !== 'end' || next === undefined) return found
  const joined = best(`${sentence.replace(/[.!]+$/, '')}, ${next}`)
  if (joined === undefined || joined.claim.value === undefined) return found
  return joined.claim.target === found.claim.target ? joined : found
}

function rivals(state: MemoryState, { attribute }: Claim): readonly ItemState[] {
  return attribute === undefined ? [] : state.withAttribute(attributeKey(attribute))
}

function isApart(sentence: string, { item }: ItemState): boolean {
  return (
    isAdditive(sentence) ||
    otherPart(sentence, item, false) ||
    otherPart(
      item.source.quote ?? item.text,
      { ...item, text: sentence, source: { origin: 'user', quote: sentence } },
      false,
    ) ||
    otherPurpose(sentence, item)
  )
}

/** A claim about a part has the key of that part: `language of the frontend`. */
function withOwnKey(claim: Claim): Claim {
  const part = partIn(claim.quote)
  const attribute =
    part === undefined ? `additional ${claim.attribute}` : `${claim.attribute} of ${part}`
  return { ...claim, operation: 'state', attribute }
}

/** `Dagger? No, Hilt.`: a question of a few words belongs to the sentence after it. */
function joinFragments(sentences: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const sentence of sentences) {
    const last = joined.at(-1)
    if (last !== undefined && /^\S+(?:\s\S+)?\?$/.test(last))
      joined[joined.length - 1] = `${last.slice(0, -1)}, ${sentence}`
    else joined.push(sentence)
  }
  return joined
}
