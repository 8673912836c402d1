/** Who runs a model, as far as its name tells. */
type ModelProvider =
  | 'anthropic'
  | 'openai'
  | 'google'
  | 'deepseek'
  | 'moonshot'
  | 'mistral'
  | 'unknown'

/** What makes rules hold for one family of models and not for another. Each is off for a model that is not known. */
interface FamilyTraits {
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

export interface ModelFamily extends FamilyTraits {
  readonly name: string
  readonly provider: ModelProvider
}

interface FamilyRow {
  readonly name: string
  readonly provider: ModelProvider
  readonly pattern: RegExp
  readonly traits: readonly FamilyTrait[]
}

const NO_TRAITS: FamilyTraits = {
  signsThinking: false,
  bindsReasoning: false,
  startsWithThinking: false,
  rejectsEnabledThinking: false,
  rejectsDisabledThinking: false,
  rejectsPrefill: false,
  rejectsSystemEntries: false,
  wantsReasoningOnAll: false,
  wantsReasoningOnCalls: false,
  wantsThoughtSignatures: false,
  wantsShortCallIds: false,
  rejectsUserAfterTool: false,
  limitsCallIds: false,
}

/**
 * The first row that matches counts. Names come as `claude-opus-5-5`, `anthropic/claude-opus-5.5`,
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0` or `claude-opus-4-5@20251101`; a date is never a minor version.
 */
const FAMILIES: readonly FamilyRow[] = [
  {
    name: 'claude-fable-5.1',
    provider: 'anthropic',
    pattern: /claude-(?:fable|mythos)-(?:5[-.][1-9](?!\d)|[6-9](?!\d)|[1-9]\d(?!\d))/,
    traits: ['signsThinking', 'bindsReasoning', 'rejectsPrefill', 'rejectsDisabledThinking'],
  },
  {
    name: 'claude-fable-5',
    provider: 'anthropic',
    pattern: /claude-(?:fable|mythos)/,
    traits: ['signsThinking', 'rejectsPrefill', 'rejectsDisabledThinking'],
  },
  {
    name: 'claude-opus-5.5',
    provider: 'anthropic',
    pattern: /claude-opus-(?:5[-.][5-9](?!\d)|[6-9](?!\d)|[1-9]\d(?!\d))/,
    traits: ['signsThinking', 'bindsReasoning', 'rejectsPrefill', 'rejectsDisabledThinking'],
  },
  {
    name: 'claude-5.5',
    provider: 'anthropic',
    pattern: /claude-(?:sonnet|haiku)-(?:5[-.][5-9](?!\d)|[6-9](?!\d)|[1-9]\d(?!\d))/,
    traits: ['signsThinking', 'bindsReasoning', 'rejectsPrefill'],
  },
  {
    name: 'claude-5',
    provider: 'anthropic',
    pattern: /claude-(?:opus|sonnet|haiku)-5(?!\d)/,
    traits: ['signsThinking', 'rejectsPrefill'],
  },
  {
    name: 'claude-opus-4.8',
    provider: 'anthropic',
    pattern: /claude-opus-4[-.][89](?!\d)/,
    traits: ['signsThinking', 'rejectsPrefill', 'rejectsEnabledThinking'],
  },
  {
    name: 'claude-opus-4.7',
    provider: 'anthropic',
    pattern: /claude-opus-4[-.]7(?!\d)/,
    traits: ['signsThinking', 'rejectsPrefill', 'rejectsEnabledThinking', 'rejectsSystemEntries'],
  },
  {
    name: 'claude-opus-4.6',
    provider: 'anthropic',
    pattern: /claude-opus-4[-.]6(?!\d)/,
    traits: ['signsThinking', 'rejectsPrefill', 'startsWithThinking', 'rejectsSystemEntries'],
  },
  {
    name: 'claude-4',
    provider: 'anthropic',
    pattern: /claude-(?:(?:opus|sonnet|haiku)-)?4(?!\d)/,
    traits: ['signsThinking', 'startsWithThinking', 'rejectsSystemEntries'],
  },
  {
    name: 'claude-3',
    provider: 'anthropic',
    pattern: /claude-(?:(?:opus|sonnet|haiku)-)?3(?!\d)/,
    traits: ['signsThinking', 'startsWithThinking', 'rejectsSystemEntries'],
  },
  {
    name: 'claude',
    provider: 'anthropic',
    pattern: /claude/,
    traits: ['signsThinking', 'startsWithThinking'],
  },
  {
    name: 'deepseek-v4',
    provider: 'deepseek',
    pattern: /deepseek-v[4-9](?!\d)/,
    traits: ['wantsReasoningOnAll'],
  },
  { name: 'deepseek', provider: 'deepseek', pattern: /deepseek/, traits: [] },
  {
    name: 'kimi-thinking',
    provider: 'moonshot',
    pattern: /kimi-(?:k2-thinking|k2[.p][5-9]|k[3-9](?!\d)|for-coding)/,
    traits: ['wantsReasoningOnCalls'],
  },
  { name: 'kimi', provider: 'moonshot', pattern: /kimi|moonshot/, traits: [] },
  {
    name: 'mistral',
    provider: 'mistral',
    pattern: /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral/,
    traits: ['wantsShortCallIds', 'rejectsUserAfterTool'],
  },
  {
    name: 'gemini-3',
    provider: 'google',
    pattern: /gemini-(?:[3-9](?!\d)|[1-9]\d(?!\d)|(?:pro|flash)-latest)/,
    traits: ['wantsThoughtSignatures'],
  },
  { name: 'gemini', provider: 'google', pattern: /gemini/, traits: [] },
  { name: 'gpt-oss', provider: 'unknown', pattern: /gpt-oss/, traits: [] },
  {
    name: 'openai',
    provider: 'openai',
    pattern: /(?:^|[/.:])(?:gpt-|chatgpt|codex|o[1-9](?:$|-))/,
    traits: ['limitsCallIds'],
  },
]

const UNKNOWN_FAMILY: ModelFamily = { name: 'unknown', provider: 'unknown', ...NO_TRAITS }

/**
 * The family that a model's name belongs to. A name that nothing here knows has no trait at all, so that only the
 * rules that hold for every model are checked.
 */
export function modelFamily(model: string): ModelFamily {
  const name = model.toLowerCase()
  const row = FAMILIES.find((family) => family.pattern.test(name))
  if (row === undefined) return UNKNOWN_FAMILY
  const traits = Object.fromEntries(row.traits.map((trait) => [trait, true]))
  return { name: row.name, provider: row.provider, ...NO_TRAITS, ...traits }
}
