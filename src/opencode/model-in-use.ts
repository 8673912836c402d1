import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { Settings } from '../core/words/settings.ts'
import type { Receipt } from '../store/store.ts'

/** The model in use, according to the host. */
export interface ModelInUse {
  readonly contextLimit: number | null
  /** Tokens of the system prompt and the tool definitions. */
  readonly prefixTokens: number
  /** The part of them that is tool definitions. */
  readonly toolTokens: number
}

/** Stored, because a new process may need it before the host provides it again. */
export function modelReceipt(model: ModelInUse): Receipt {
  return { kind: 'model', ...model }
}

export function modelInReceipts(receipts: readonly Receipt[]): ModelInUse | null {
  const last = receipts.findLast(({ kind }) => kind === 'model')
  if (last === undefined) return null
  const { contextLimit, prefixTokens, toolTokens } = last
  return {
    contextLimit: typeof contextLimit === 'number' ? contextLimit : null,
    prefixTokens: typeof prefixTokens === 'number' ? prefixTokens : 0,
    toolTokens: typeof toolTokens === 'number' ? toolTokens : 0,
  }
}

/** The context limit of a model: from the user's settings, from the host, or from our table of models. */
export function contextLimitOf(
  model: unknown,
  { contextLimit }: Pick<Settings, 'contextLimit'>,
  overrides: readonly ModelOverride[] = [],
): number | null {
  if (contextLimit !== null) return contextLimit
  const { id, limit } = isJsonObject(model) ? model : {}
  const hostLimit = isJsonObject(limit) ? limit.context : undefined
  if (typeof hostLimit === 'number' && hostLimit > 0) return hostLimit
  return modelFacts(typeof id === 'string' ? id : null, overrides).contextLimit
}
