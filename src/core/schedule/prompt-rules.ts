import type { ItemSizes } from '../record/item-sizes.ts'
import type { RequestMoment } from '../words/request-moment.ts'
import type { ModelFacts } from './models/model-facts.ts'

/** What precedes the items of a prompt, and how much of a prompt a provider caches, in characters. */
export interface PromptRules {
  /** System prompt and tools. */
  readonly prefix: number
  /** Nothing shorter is found in the cache. */
  readonly least: number
  /** A cached prefix is found in steps of this size. */
  readonly step: number
  /** Whether the prefix has an entry of its own. */
  readonly isPrefixKept: boolean
}

/** How short the items of a prompt may become, in characters. */
export interface PromptFloor {
  /** With fewer, the prompt is too short to be cached. */
  readonly shown: number
  /** A history of this size costs more, read from the cache, than any prompt that is too short for it. */
  readonly original: number
}

/** Whether a prompt stays long enough to be cached when this many characters leave it, or is better off without a cache. */
export function leavesEnough(
  { shown, original }: PromptFloor,
  sizes: ItemSizes,
  removed: number,
): boolean {
  if (removed <= 0 || shown <= 0 || sizes.originalBefore(sizes.length) >= original) return true
  return sizes.shownBefore(sizes.length) - removed >= shown
}

export const noPromptRules: PromptRules = { prefix: 0, least: 0, step: 0, isPrefixKept: true }

/** Plain prose has up to five characters in a token. */
const minimumCaution = 1.3
const charactersPerToken = 4

export function promptRules(
  { cache }: ModelFacts,
  { mayBeCached, lifetime, prefixCharacters }: RequestMoment,
): PromptRules {
  if (cache.kind === 'none' || mayBeCached === false) return noPromptRules
  const step = cache.kind === 'automatic' ? cache.stepTokens * charactersPerToken : 0
  // Agents' own prompts are long enough to be cached. Recordings do not have them.
  if (prefixCharacters === undefined) return { ...noPromptRules, step }
  const least = minimumCaution * cache.minimumTokens * charactersPerToken
  // A client that marks the system prompt names a lifetime there.
  const isMarked = cache.kind === 'automatic' || lifetime !== undefined
  const isPrefixKept = isMarked && prefixCharacters >= least
  return { prefix: prefixCharacters, least, step, isPrefixKept }
}
