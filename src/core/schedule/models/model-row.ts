/** Who runs a model, as far as its name tells. */
export type ModelProvider =
  | 'anthropic'
  | 'openai'
  | 'google'
  | 'deepseek'
  | 'moonshot'
  | 'mistral'
  | 'unknown'

/** What makes rules hold for one family of models and not for another. Each is off for a model that is not known. */
export interface FamilyTraits {
  /** Reasoning blocks carry a signature that the provider wants back. */
  readonly signsThinking: boolean
  /** Reasoning is valid only while nothing before it changes. */
  readonly bindsReasoning: boolean
  /** With `thinking.type: "enabled"`, the assistant's turn in a tool loop starts with its thinking. */
  readonly startsWithThinking: boolean
  readonly rejectsEnabledThinking: boolean
  readonly rejectsDisabledThinking: boolean
  /** The conversation cannot end with text of the assistant. */
  readonly rejectsPrefill: boolean
  /** No `role: "system"` entries among the messages. */
  readonly rejectsSystemEntries: boolean
  /** `reasoning_content` comes back on every assistant message. */
  readonly wantsReasoningOnAll: boolean
  /** `reasoning_content` comes back, not empty, on assistant messages with tool calls. */
  readonly wantsReasoningOnCalls: boolean
  /** The first function call of each step of the current turn carries its `thoughtSignature`. */
  readonly wantsThoughtSignatures: boolean
  /** Ids of tool calls are nine letters or digits. */
  readonly wantsShortCallIds: boolean
  readonly rejectsUserAfterTool: boolean
  /** Ids of calls have a greatest length. */
  readonly limitsCallIds: boolean
}

export type FamilyTrait = keyof FamilyTraits

/**
 * How reasoning depends on what stands before it. `none`: plain text. `signed`: opaque, sent back as it came or left out
 * whole. `prefix-checked`: valid only while nothing before it has changed.
 */
export const reasoningBindings = ['none', 'signed', 'prefix-checked'] as const

export type ReasoningBinding = (typeof reasoningBindings)[number]

/** Above so many prompt tokens, every token of the request has another price. */
export interface PriceStep {
  readonly aboveTokens: number
  /** Dollars for a million input tokens. */
  readonly inputPrice: number
}

/** What a provider keeps of a prompt, and for how long. */
export type CacheRules =
  | { readonly kind: 'none' }
  /** A prefix is kept where the client, or the provider for it, put a breakpoint. */
  | {
      readonly kind: 'breakpoints'
      /** How many a request may have. */
      readonly breakpoints: number
      /** How many blocks before a breakpoint an entry is looked for; null: any. */
      readonly lookbackBlocks: number | null
      readonly lifetimeMs: number
      /** What a client can ask for instead; null: nothing. */
      readonly longLifetimeMs: number | null
      /** A shorter prefix is not kept. */
      readonly minimumTokens: number
    }
  /** Every prefix is kept, in steps of so many tokens. */
  | {
      readonly kind: 'automatic'
      readonly stepTokens: number
      readonly lifetimeMs: number
      readonly minimumTokens: number
    }

/** Prices and limits of the models of a family whose names fit. Multiples are of the input price. */
export interface PriceRow {
  readonly name: string
  readonly pattern: RegExp
  /** Dollars for a million input tokens. */
  readonly inputPrice: number
  readonly write: number
  /** Of an entry with the long lifetime; null where there is none. */
  readonly longWrite: number | null
  readonly read: number
  readonly steps: readonly PriceStep[]
  readonly cache: CacheRules
  readonly contextLimit: number | null
  /** Where the figures stand, and what is doubtful about them. */
  readonly source: string
}

/** Models that follow the same rules. The first row whose pattern fits a name counts, of families and of prices. */
export interface ModelFamilyRow {
  readonly name: string
  readonly provider: ModelProvider
  readonly pattern: RegExp
  readonly traits: readonly FamilyTrait[]
  /** Where the traits do not say it. */
  readonly reasoning?: ReasoningBinding
  /** None: the prices are not known, and are taken as those of an unknown model. */
  readonly prices: readonly PriceRow[]
}
