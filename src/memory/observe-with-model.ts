import { attributeKey } from './attribute-key.ts'
import type { Claim } from './extract/claim.ts'
import { claimsOf } from './extract/claims-of-message.ts'
import type { Extractor } from './extract/model-extractor.ts'
import { sameValue } from './lexicon/lookup.ts'
import type { Memory } from './memory.ts'
import {
  type Message,
  type Observation,
  observeClaims,
  type Place,
  safeMessage,
  type Understood,
} from './observe.ts'
import { findCorrections } from './understand/corrections.ts'

/** For use without a model. */
export const noExtractor: Extractor = { claims: async () => [] }

export interface ObserveWithOptions {
  readonly extractor: Extractor
  /** Called when the model failed; the message is then read without it. */
  onProblem(problem: unknown): void
}

/** Reads a message with the built-in rules and the model's proposals. Changes nothing. */
export async function understand(
  said: Message,
  now: number,
  { extractor, onProblem }: ObserveWithOptions,
): Promise<Understood> {
  const message = safeMessage(said)
  const { role, text } = message
  if (role !== 'user' && role !== 'assistant') return { corrections: [], claims: [] }
  const saidAt = Math.min(message.at ?? now, now)
  const own = claimsOf(text, role, saidAt)
  const proposed = await extractor.claims(message, saidAt).catch((problem: unknown) => {
    onProblem(problem)
    return []
  })
  const fresh = proposed.filter((claim) => !own.some((known) => saysTheSame(known, claim)))
  const corrections = role === 'user' ? findCorrections(text) : []
  return { corrections, claims: [...own, ...fresh] }
}

/** Reads one message into the memory, as `observe` does, and adds the model's proposals. */
export async function observeWith(
  memory: Memory,
  message: Message,
  place: Place,
  options: ObserveWithOptions,
): Promise<Observation> {
  return observeClaims(memory, message, place, await understand(message, memory.now(), options))
}

/** Whether a model's claim repeats a claim of the built-in rules, which wins. */
function saysTheSame(known: Claim, proposed: Claim): boolean {
  if (known.quote !== proposed.quote) return false
  if (known.attribute === undefined) return known.kind === proposed.kind
  return (
    attributeKey(known.attribute) === attributeKey(proposed.attribute ?? '') ||
    sameValue(known.value ?? '', proposed.value ?? '')
  )
}
