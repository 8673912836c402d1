import { type ModelOverride, modelFacts } from '../core/schedule/models/model-facts.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { Settings } from '../core/words/settings.ts'
import type { Receipt } from '../store/store.ts'

/** What the host tells of the model in use. */
export interface ModelInUse {
  readonly contextLimit: number | null
  /** Of system prompt and tool definitions. */
  readonly prefixTokens: number
}

/** The store keeps it, because a new process is asked about a conversation before the host tells it again. */
export function modelReceipt({ contextLimit, prefixTokens }: ModelInUse): Receipt {
  return { kind: 'model', contextLimit, prefixTokens }
}

export function modelInReceipts(receipts: readonly Receipt[]): ModelInUse | null {
  const last = receipts.findLast(({ kind }) => kind === 'model')
  if (last === undefined) return null
  const { contextLimit, prefixTokens } = last
  return {
    contextLimit: typeof contextLimit === 'number' ? contextLimit : null,
    prefixTokens: typeof prefixTokens === 'number' ? prefixTokens : 0,
  }
}

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
