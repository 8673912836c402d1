/** What a provider's documentation says about a model's prompt cache. Prices are multiples of the input price. */
export interface CacheTerms {
  readonly api: 'anthropic' | 'openai'
  /** Dollars for a million input tokens. */
  readonly inputPrice: number
  readonly read: number
  readonly write: number
  /** For an entry that lives an hour. */
  readonly longWrite: number
  /** A shorter prefix is not cached. */
  readonly minimumTokens: number
  /** Automatic caches are read in whole steps of this many tokens. */
  readonly stepTokens: number
  /** How long an entry lives after its last use. */
  readonly lifetimeMs: number
}

const minute = 60_000
export const hourMs: number = 60 * minute

/** How many blocks before a breakpoint Claude searches for an earlier entry. */
export const lookbackBlocks = 20

/** platform.claude.com, "Prompt caching": prices 1.25 and 2, reads 0.1, 5 minutes or an hour from the last use. */
const claude = (inputPrice: number, minimumTokens: number): CacheTerms => ({
  api: 'anthropic',
  inputPrice,
  read: 0.1,
  write: 1.25,
  longWrite: 2,
  minimumTokens,
  stepTokens: 1,
  lifetimeMs: 5 * minute,
})

/** developers.openai.com, "Prompt caching": from 1,024 tokens in steps of 128; 5 to 10 minutes without use, an hour at most. */
const openai = (inputPrice: number, write: number, lifetimeMs: number): CacheTerms => ({
  api: 'openai',
  inputPrice,
  read: 0.1,
  write,
  longWrite: write,
  minimumTokens: 1024,
  stepTokens: 128,
  lifetimeMs,
})

/**
 * Pages disagree about Sonnet 4.6 (1,024 or 2,048; SDK users measured 2,048) and Opus 4.7 (2,048 or 4,096): the larger counts
 * here, because a prompt pruned below it would lose its cache.
 */
const terms: Readonly<Record<string, CacheTerms>> = {
  'claude-sonnet-4-5': claude(3, 1024),
  'claude-sonnet-4-6': claude(3, 2048),
  'claude-opus-4-5': claude(5, 4096),
  'claude-opus-4-7': claude(5, 4096),
  'claude-haiku-4-5': claude(1, 4096),
  'gpt-5.1': openai(1.25, 1, 10 * minute),
  'gpt-5.6-sol': openai(5, 1.25, 30 * minute),
}

export function termsOf(model: string): CacheTerms {
  const found = terms[model]
  if (found === undefined) throw new Error(`no cache terms for ${model}`)
  return found
}
