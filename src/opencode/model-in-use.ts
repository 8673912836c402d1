import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import type { Settings } from '../core/settings.ts'
import { isJsonObject } from '../formats/json-value.ts'

/** The context limit of the model that the host is about to ask: the user's word, the host's, or what is known of it. */
export function contextLimitOf(
  model: unknown,
  { contextLimit }: Pick<Settings, 'contextLimit'>,
  overrides: readonly ModelOverride[] = [],
): number | null {
  if (contextLimit !== null) return contextLimit
  const { id, limit } = isJsonObject(model) ? model : {}
  const told = isJsonObject(limit) ? limit.context : undefined
  if (typeof told === 'number' && told > 0) return told
  return modelFacts(typeof id === 'string' ? id : null, overrides).contextLimit
}
