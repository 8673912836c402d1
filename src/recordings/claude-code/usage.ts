import type { Usage } from '../../core/words/item.ts'
import { isJsonObject } from '../../core/words/json.ts'
import { countOf } from '../json-fields.ts'

/** `input` includes cached tokens, which Anthropic does not count in `input_tokens`. */
export function usageOf(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const cacheRead = countOf(value.cache_read_input_tokens)
  const cacheWrite = countOf(value.cache_creation_input_tokens)
  const input = countOf(value.input_tokens) + cacheRead + cacheWrite
  const output = countOf(value.output_tokens)
  const lifetimes = value.cache_creation
  if (!isJsonObject(lifetimes)) return { input, output, cacheRead, cacheWrite }
  const cacheWriteLong = countOf(lifetimes.ephemeral_1h_input_tokens)
  return { input, output, cacheRead, cacheWrite, cacheWriteLong }
}
