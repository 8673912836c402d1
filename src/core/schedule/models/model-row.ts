/** Who runs a model, judging by its name. */
export type ModelProvider =
  | 'anthropic'
  | 'openai'
  | 'google'
  | 'deepseek'
  | 'moonshot'
  | 'mistral'
  | 'unknown'

/** Which provider rules apply to a family of models. All are off for an unknown model. */
export interface FamilyTraits {
  /** Reasoning blocks carry a signature that must be sent back. */
  readonly signsThinking: boolean
  /** Reasoning is valid only while nothing before it changes. */
  readonly bindsReasoning: boolean
  /** With `thinking.type: "enabled"`, the assistant's turn in a tool loop starts with its thinking. */
  readonly startsWithThinking: boolean
  readonly rejectsEnabledThinking: boolean
  readonly rejectsDisabledThinking: boolean
  /** The conversation may not end with assistant text. */
  readonly rejectsPrefill: boolean
  /** Messages may not contain `role: "system"` entries. */
  readonly rejectsSystemEntries: boolean
  /** `reasoning_content` must be sent back on every assistant message. */
  readonly wantsReasoningOnAll: boolean
  /** A non-empty `reasoning_content` must be sent back on assistant messages with tool calls. */
  readonly wantsReasoningOnCalls: boolean
  /** The first function call of each step of the current turn carries its `thoughtSignature`. */
  readonly wantsThoughtSignatures: boolean
  /** Ids of tool calls must be nine letters or digits. */
  readonly wantsShortCallIds: boolean
  readonly rejectsUserAfterTool: boolean
  /** Ids of tool calls have a maximum length. */
  readonly limitsCallIds: boolean
}

export type FamilyTrait = keyof FamilyTraits

/**
 * How reasoning depends on what precedes it. `none`: plain text. `signed`: opaque, sent back unchanged or removed whole.
 * `prefix-checked`: valid only while nothing before it has changed.
 */
export const reasoningBindings = ['none', 'signed', 'prefix-checked'] as const

export type ReasoningBinding = (typeof reasoningBindings)[number]

/** Above this number of prompt tokens, every token of the request has another price. */
export interface PriceStep {
  readonly aboveTokens: number
  /** Dollars per million input tokens. */
  readonly inputPrice: number
}

/** What a provider caches of a prompt, and for how long. */
export type CacheRules =
  | { readonly kind: 'none' }
  /** A prefix is cached where the client, or the provider for it, sets a breakpoint. */
  | {
      readonly kind: 'breakpoints'
      /** How many breakpoints a request may have. */
      readonly breakpoints: number
      /** How many blocks before a breakpoint an entry is searched; null for all. */
      readonly lookbackBlocks: number | null
      readonly lifetimeMs: number
      /** The longer lifetime that a client can ask for; null where there is none. */
      readonly longLifetimeMs: number | null
      /** A shorter prefix is not cached. */
      readonly minimumTokens: number
    }
  /** Every prefix is cached, in steps of this many tokens. */
  | {
      readonly kind: 'automatic'
      readonly stepTokens: number
      readonly lifetimeMs: number
      readonly minimumTokens: number
    }

/** Prices and limits of the models of a family whose names match. `write`, `longWrite` and `read` are multiples of the input price. */
export interface PriceRow {
  readonly name: string
  readonly pattern: RegExp
  /** Dollars per million input tokens. */
  readonly inputPrice: number
  readonly write: number
  /** For an entry with the long lifetime; null where there is none. */
  readonly longWrite: number | null
  readonly read: number
  readonly steps: readonly PriceStep[]
  readonly cache: CacheRules
  readonly contextLimit: number | null
  /** Where the figures come from, and which are uncertain. */
  readonly source: string
}

/** Models that follow the same rules. The first family, and in it the first price row, whose pattern matches a name counts. */
export interface ModelFamilyRow {
  readonly name: string
  readonly provider: ModelProvider
  readonly pattern: RegExp
  readonly traits: readonly FamilyTrait[]
  /** Given where the traits do not imply it. */
  readonly reasoning?: ReasoningBinding
  /** Empty when the prices are not known; those of an unknown model are used. */
  readonly prices: readonly PriceRow[]
}
