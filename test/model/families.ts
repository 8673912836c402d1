import type { Api } from './api.ts'

/** Cache rules of one family of models. Sources: the providers' pages on prompt caching. */
export interface CacheRules {
  readonly minimumTokens: number
  /** How long an entry lives that nobody reads; Anthropic's lifetimes stand on the breakpoints instead. */
  readonly lifetimeMs: number
  /** Whether the usage figures say what was written. */
  readonly reportsWrites: boolean
}

const minute = 60_000

/** From the special to the general: the first that matches holds. */
const anthropicMinimums: readonly (readonly [RegExp, number])[] = [
  [/(opus|fable|mythos)-5|sonnet-5-5/, 512],
  [/opus-4-7/, 2_048],
  [/opus-4-[56]|haiku-4-5/, 4_096],
]

export function cacheRules(api: Api, model: string): CacheRules {
  switch (api) {
    case 'anthropic': {
      const found = anthropicMinimums.find(([pattern]) => pattern.test(model))
      return {
        minimumTokens: found?.[1] ?? 1_024,
        lifetimeMs: 5 * minute,
        reportsWrites: true,
      }
    }
    case 'openai-chat':
    case 'openai-responses': {
      const reportsWrites = /gpt-(5\.[6-9]|[6-9])/.test(model)
      return { minimumTokens: 1_024, lifetimeMs: (reportsWrites ? 30 : 10) * minute, reportsWrites }
    }
    case 'gemini':
      return { minimumTokens: 1_024, lifetimeMs: 10 * minute, reportsWrites: false }
  }
}

/** Models that tie each reasoning block to everything that stood before it. */
export function bindsReasoningToPrefix(model: string): boolean {
  return /claude-(fable|mythos)-5-[1-9]|claude-(opus|sonnet|haiku)-5-5/.test(model)
}

/** Models that leave the text of their thinking out unless asked for it. */
export function omitsThinkingText(model: string): boolean {
  return /claude-(opus-4-[7-9]|(opus|sonnet|haiku|fable|mythos)-[5-9])/.test(model)
}
