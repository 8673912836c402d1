import type { Usage } from '../core/words/item.ts'
import { isJsonObject, type JsonObject } from '../core/words/json.ts'

/** Figures of an answer, as far as they have been said; those of a stream come in parts. */
export type PartialUsage = { -readonly [Key in keyof AnswerUsage]?: AnswerUsage[Key] }

export interface AnswerUsage extends Usage {
  /** Tokens that the provider itself left out of the input. */
  readonly cleared?: number
}

/**
 * Takes what a parsed answer, or one event of a streamed one, says about tokens. Every provider's names are known, so
 * that nobody has to say whose answer it is; `input` includes what came from the cache.
 */
export function takeUsage(answer: unknown, into: PartialUsage): void {
  if (!isJsonObject(answer)) return
  for (const holder of [answer, answer.message, answer.response]) {
    if (!isJsonObject(holder)) continue
    if (isJsonObject(holder.context_management)) takeCleared(holder.context_management, into)
    if (isJsonObject(holder.usage)) takeFigures(holder.usage, into)
    if (isJsonObject(holder.usageMetadata)) takeGemini(holder.usageMetadata, into)
  }
}

/** The figures together, once the input is known. */
export function wholeUsage(figures: PartialUsage): AnswerUsage | null {
  const { input, output = 0, cacheRead = 0, cacheWrite = 0, cacheWriteLong, cleared } = figures
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

function takeFigures(usage: JsonObject, into: PartialUsage): void {
  if ('prompt_tokens' in usage) takeChat(usage, into)
  else if (isJsonObject(usage.input_tokens_details)) takeResponses(usage, into)
  else takeAnthropic(usage, into)
}

function takeAnthropic(usage: JsonObject, into: PartialUsage): void {
  const output = count(usage.output_tokens)
  if (output !== null) into.output = output
  const uncached = count(usage.input_tokens)
  // The last event of a stream may repeat the output alone.
  if (uncached === null) return
  const cacheRead = count(usage.cache_read_input_tokens) ?? 0
  const cacheWrite = count(usage.cache_creation_input_tokens) ?? 0
  into.cacheRead = cacheRead
  into.cacheWrite = cacheWrite
  into.input = uncached + cacheRead + cacheWrite
  const parts = usage.cache_creation
  const long = isJsonObject(parts) ? count(parts.ephemeral_1h_input_tokens) : null
  if (long !== null) into.cacheWriteLong = long
}

function takeCleared({ applied_edits: edits }: JsonObject, into: PartialUsage): void {
  const applied: readonly unknown[] = Array.isArray(edits) ? edits : []
  const counts = applied.map((edit) => (isJsonObject(edit) ? count(edit.cleared_input_tokens) : 0))
  if (counts.length > 0) into.cleared = counts.reduce<number>((sum, each) => sum + (each ?? 0), 0)
}

function takeChat(usage: JsonObject, into: PartialUsage): void {
  const input = count(usage.prompt_tokens)
  if (input === null) return
  const details = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {}
  into.input = input
  into.output = count(usage.completion_tokens) ?? 0
  into.cacheRead = count(details.cached_tokens) ?? count(usage.prompt_cache_hit_tokens) ?? 0
}

function takeResponses(usage: JsonObject, into: PartialUsage): void {
  const input = count(usage.input_tokens)
  if (input === null || !isJsonObject(usage.input_tokens_details)) return
  into.input = input
  into.output = count(usage.output_tokens) ?? 0
  into.cacheRead = count(usage.input_tokens_details.cached_tokens) ?? 0
}

function takeGemini(usage: JsonObject, into: PartialUsage): void {
  const input = count(usage.promptTokenCount)
  if (input === null) return
  into.input = input
  into.output = (count(usage.candidatesTokenCount) ?? 0) + (count(usage.thoughtsTokenCount) ?? 0)
  into.cacheRead = count(usage.cachedContentTokenCount) ?? 0
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
