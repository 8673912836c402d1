import type { Usage } from '../core/words/item.ts'

export interface AnswerUsage extends Usage {
  /** Tokens that the provider cleared from the input. */
  readonly cleared?: number
}

/** The usage reported so far; a stream reports it in parts. `input` includes cached tokens. */
export type PartialUsage = { -readonly [Key in keyof AnswerUsage]?: AnswerUsage[Key] }

/** The usage of an answer, or null when the input is not known. */
export function wholeUsage(reported: PartialUsage): AnswerUsage | null {
  const { input, output = 0, cacheRead = 0, cacheWrite = 0, cacheWriteLong, cleared } = reported
  if (input === undefined) return null
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(cacheWriteLong === undefined ? {} : { cacheWriteLong }),
    ...(cleared === undefined ? {} : { cleared }),
  }
}

/** A hundred times the largest context. A larger figure is an error of the provider or a proxy. */
const mostTokens = 100_000_000

/** A number of tokens, or null if the value is not one. */
export function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= mostTokens ? value : null
}
