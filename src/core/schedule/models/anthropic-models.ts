import type { ModelFamilyRow, PriceRow, PriceStep } from './model-row.ts'

const minute = 60_000
const million = 1_000_000

interface Figures {
  readonly input: number
  readonly minimum: number
  readonly context: number
  readonly read?: number
  readonly steps?: readonly PriceStep[]
  readonly note?: string
}

const pages = 'platform.claude.com: about-claude/pricing, build-with-claude/prompt-caching'

/** Writes cost 1.25 for five minutes and 2 for an hour with every Claude model. */
function claude(name: string, pattern: RegExp, figures: Figures): PriceRow {
  return {
    name,
    pattern,
    inputPrice: figures.input,
    write: 1.25,
    longWrite: 2,
    read: figures.read ?? 0.1,
    steps: figures.steps ?? [],
    cache: {
      kind: 'breakpoints',
      breakpoints: 4,
      lookbackBlocks: 20,
      lifetimeMs: 5 * minute,
      longLifetimeMs: 60 * minute,
      minimumTokens: figures.minimum,
    },
    contextLimit: figures.context,
    source: figures.note === undefined ? pages : `${pages}; ${figures.note}`,
  }
}

const any = /^/

/**
 * Names come as `claude-opus-5-5`, `anthropic/claude-opus-5.5`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0` or
 * `claude-opus-4-5@20251101`; a date is never a minor version.
 */
export const anthropicModels: readonly ModelFamilyRow[] = [
  {
    name: 'claude-fable-5.1',
    provider: 'anthropic',
    pattern: /claude-(?:fable|mythos)-(?:5[-.][1-9](?!\d)|[6-9](?!\d)|[1-9]\d(?!\d))/,
    traits: ['signsThinking', 'bindsReasoning', 'rejectsPrefill', 'rejectsDisabledThinking'],
    prices: [
      claude('claude-fable-5.1', any, {
        input: 10,
        read: 0.025,
        minimum: 512,
        context: million,
        note: 'the minimum is that of Fable 5',
      }),
    ],
  },
  {
    name: 'claude-fable-5',
    provider: 'anthropic',
    pattern: /claude-(?:fable|mythos)/,
    traits: ['signsThinking', 'rejectsPrefill', 'rejectsDisabledThinking'],
    prices: [claude('claude-fable-5', any, { input: 10, minimum: 512, context: million })],
  },
  {
    name: 'claude-opus-5.5',
    provider: 'anthropic',
    pattern: /claude-opus-(?:5[-.][5-9](?!\d)|[6-9](?!\d)|[1-9]\d(?!\d))/,
    traits: ['signsThinking', 'bindsReasoning', 'rejectsPrefill', 'rejectsDisabledThinking'],
    prices: [
      claude('claude-opus-5.5', any, {
        input: 4,
        read: 0.05,
        minimum: 512,
        context: million,
        note: 'the minimum is that of Opus 5',
      }),
    ],
  },
  {
    name: 'claude-5.5',
    provider: 'anthropic',
    pattern: /claude-(?:sonnet|haiku)-(?:5[-.][5-9](?!\d)|[6-9](?!\d)|[1-9]\d(?!\d))/,
    traits: ['signsThinking', 'bindsReasoning', 'rejectsPrefill'],
    prices: [
      claude('claude-haiku-5.5', /haiku/, {
        input: 0.1,
        steps: [{ aboveTokens: 100_000, inputPrice: 0.5 }],
        minimum: 512,
        context: million,
        note: 'the minimum is that of Sonnet 5.5',
      }),
      claude('claude-sonnet-5.5', any, {
        input: 2,
        minimum: 512,
        context: million,
        note: 'a third party (docs.rs/synaps 0.10.2) has 0.05 for reads',
      }),
    ],
  },
  {
    name: 'claude-5',
    provider: 'anthropic',
    pattern: /claude-(?:opus|sonnet|haiku)-5(?!\d)/,
    traits: ['signsThinking', 'rejectsPrefill'],
    prices: [
      claude('claude-opus-5', /opus/, { input: 5, minimum: 512, context: million }),
      claude('claude-sonnet-5', any, { input: 2, minimum: 1024, context: million }),
    ],
  },
  {
    name: 'claude-opus-4.8',
    provider: 'anthropic',
    pattern: /claude-opus-4[-.][89](?!\d)/,
    traits: ['signsThinking', 'rejectsPrefill', 'rejectsEnabledThinking'],
    prices: [claude('claude-opus-4.8', any, { input: 5, minimum: 1024, context: million })],
  },
  {
    name: 'claude-opus-4.7',
    provider: 'anthropic',
    pattern: /claude-opus-4[-.]7(?!\d)/,
    traits: ['signsThinking', 'rejectsPrefill', 'rejectsEnabledThinking', 'rejectsSystemEntries'],
    prices: [
      claude('claude-opus-4.7', any, {
        input: 5,
        minimum: 4096,
        context: million,
        note: 'pages say 2,048 or 4,096',
      }),
    ],
  },
  {
    name: 'claude-opus-4.6',
    provider: 'anthropic',
    pattern: /claude-opus-4[-.]6(?!\d)/,
    traits: ['signsThinking', 'rejectsPrefill', 'startsWithThinking', 'rejectsSystemEntries'],
    prices: [claude('claude-opus-4.6', any, { input: 5, minimum: 4096, context: million })],
  },
  {
    name: 'claude-4',
    provider: 'anthropic',
    pattern: /claude-(?:(?:opus|sonnet|haiku)-)?4(?!\d)/,
    traits: ['signsThinking', 'startsWithThinking', 'rejectsSystemEntries'],
    prices: [
      claude('claude-opus-4.5', /opus-4[-.]5(?!\d)/, { input: 5, minimum: 4096, context: 200_000 }),
      claude('claude-opus-4', /opus/, { input: 15, minimum: 1024, context: 200_000 }),
      claude('claude-haiku-4.5', /haiku/, { input: 1, minimum: 4096, context: 200_000 }),
      claude('claude-sonnet-4.6', /sonnet-4[-.]6(?!\d)/, {
        input: 3,
        minimum: 2048,
        context: million,
        note: 'pages say 1,024 or 2,048; users of the SDK measured 2,048',
      }),
      claude('claude-sonnet-4', any, {
        input: 3,
        steps: [{ aboveTokens: 200_000, inputPrice: 6 }],
        minimum: 1024,
        context: 200_000,
        note: 'more than 200k only with a beta header, at twice the price',
      }),
    ],
  },
  {
    name: 'claude-3',
    provider: 'anthropic',
    pattern: /claude-(?:(?:opus|sonnet|haiku)-)?3(?!\d)/,
    traits: ['signsThinking', 'startsWithThinking', 'rejectsSystemEntries'],
    prices: [
      claude('claude-haiku-3.5', /3[-.]5-haiku|haiku-3[-.]5/, {
        input: 0.8,
        minimum: 2048,
        context: 200_000,
      }),
      claude('claude-haiku-3', /haiku/, { input: 0.25, minimum: 2048, context: 200_000 }),
      claude('claude-opus-3', /opus/, { input: 15, minimum: 1024, context: 200_000 }),
      claude('claude-sonnet-3', any, { input: 3, minimum: 1024, context: 200_000 }),
    ],
  },
  {
    name: 'claude',
    provider: 'anthropic',
    pattern: /claude/,
    traits: ['signsThinking', 'startsWithThinking'],
    // A future model is assumed to check reasoning as the newest ones do.
    reasoning: 'prefix-checked',
    prices: [
      claude('claude', any, {
        input: 5,
        read: 0.025,
        minimum: 512,
        context: 200_000,
        note: 'an unknown Claude: the cheapest read and the smallest window of all of them',
      }),
    ],
  },
]
