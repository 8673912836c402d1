import type { ModelFamilyRow, PriceRow } from './model-row.ts'

const minute = 60_000
const hour = 60 * minute

interface Figures {
  readonly input: number
  readonly read: number
  readonly minimum: number
  readonly lifetimeMs: number
  readonly stepTokens: number
  readonly context: number
  /** Twice the price above this many prompt tokens. */
  readonly doublesAbove?: number
  readonly source: string
}

/** Providers that cache prefixes automatically and do not charge for writes. */
function priced(name: string, pattern: RegExp, figures: Figures): PriceRow {
  const { input, read, minimum, lifetimeMs, stepTokens, context, doublesAbove, source } = figures
  return {
    name,
    pattern,
    inputPrice: input,
    write: 1,
    longWrite: null,
    read,
    steps: doublesAbove === undefined ? [] : [{ aboveTokens: doublesAbove, inputPrice: 2 * input }],
    cache: { kind: 'automatic', stepTokens, lifetimeMs, minimumTokens: minimum },
    contextLimit: context,
    source,
  }
}

const deepseek = { minimum: 64, stepTokens: 64, lifetimeMs: 24 * hour }
const deepseekPages =
  'api-docs.deepseek.com: quick_start/pricing (off-peak; twice that at peak hours), guides/kv_cache (hours to days)'

const gemini = { read: 0.1, stepTokens: 1, lifetimeMs: 10 * minute, context: 1_048_576 }
const geminiPages =
  'ai.google.dev: gemini-api/docs/pricing, gemini-api/docs/caching; hits are not promised, the lifetime is not published'

const kimi = { minimum: 256, stepTokens: 1, lifetimeMs: 10 * minute }
const kimiPages =
  'platform.kimi.ai: docs/pricing; neither minimum nor lifetime of the automatic cache is published'

const deepseekV3 = priced('deepseek', /^/, {
  ...deepseek,
  input: 0.28,
  read: 0.1,
  context: 128_000,
  source: `${deepseekPages}; V3.2`,
})

export const otherModels: readonly ModelFamilyRow[] = [
  {
    name: 'deepseek-v4',
    provider: 'deepseek',
    // `deepseek-flash` names the newest V4 Flash.
    pattern: /deepseek-(?:v[4-9](?!\d)|flash)/,
    traits: ['wantsReasoningOnAll'],
    prices: [
      priced('deepseek-v4-flash', /flash/, {
        ...deepseek,
        input: 0.15,
        read: 0.02,
        context: 1_000_000,
        source: deepseekPages,
      }),
      priced('deepseek-v4-pro', /^/, {
        ...deepseek,
        input: 0.66,
        read: 0.0333,
        context: 1_000_000,
        source: `${deepseekPages}; until August 2026: 0.435, reads at 0.0083`,
      }),
    ],
  },
  {
    // Up to V3.2, thinking has its own model name, and its text must be sent back with the calls.
    name: 'deepseek-thinking',
    provider: 'deepseek',
    pattern: /deepseek-(?:reasoner|r1|[\w.-]*thinking)/,
    traits: ['wantsReasoningOnCalls'],
    prices: [deepseekV3],
  },
  {
    name: 'deepseek',
    provider: 'deepseek',
    pattern: /deepseek/,
    traits: [],
    prices: [deepseekV3],
  },
  {
    name: 'kimi-thinking',
    provider: 'moonshot',
    pattern: /kimi-(?:k2-thinking|k2[.p][5-9]|k[3-9](?!\d)|for-coding)/,
    traits: ['wantsReasoningOnCalls'],
    prices: [
      priced('kimi-k3', /kimi-k[3-9]/, {
        ...kimi,
        input: 3,
        read: 0.1,
        context: 1_000_000,
        source: kimiPages,
      }),
      priced('kimi-k2.7', /k2[.p][7-9]/, {
        ...kimi,
        input: 0.95,
        read: 0.2,
        context: 262_144,
        source: kimiPages,
      }),
      priced('kimi-k2.6', /k2[.p]6/, {
        ...kimi,
        input: 0.95,
        read: 0.168,
        context: 262_144,
        source: kimiPages,
      }),
      priced('kimi-k2.5', /^/, {
        ...kimi,
        input: 0.6,
        read: 0.167,
        context: 262_144,
        source: kimiPages,
      }),
    ],
  },
  { name: 'kimi', provider: 'moonshot', pattern: /kimi|moonshot/, traits: [], prices: [] },
  {
    name: 'mistral',
    provider: 'mistral',
    pattern: /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral/,
    traits: ['wantsShortCallIds', 'rejectsUserAfterTool'],
    prices: [],
  },
  {
    name: 'gemini-3',
    provider: 'google',
    pattern: /gemini-(?:[3-9](?!\d)|[1-9]\d(?!\d)|(?:pro|flash)-latest)/,
    traits: ['wantsThoughtSignatures'],
    prices: [
      priced('gemini-3-flash', /flash/, {
        ...gemini,
        input: 0.75,
        minimum: 4096,
        source: geminiPages,
      }),
      priced('gemini-3-pro', /^/, {
        ...gemini,
        input: 2,
        minimum: 4096,
        doublesAbove: 200_000,
        source: geminiPages,
      }),
    ],
  },
  {
    name: 'gemini',
    provider: 'google',
    pattern: /gemini/,
    traits: [],
    prices: [
      priced('gemini-2.5-flash-lite', /flash-lite/, {
        ...gemini,
        input: 0.1,
        minimum: 2048,
        source: geminiPages,
      }),
      priced('gemini-2.5-flash', /flash/, {
        ...gemini,
        input: 0.3,
        minimum: 2048,
        source: geminiPages,
      }),
      priced('gemini-2.5-pro', /^/, {
        ...gemini,
        input: 1.25,
        minimum: 2048,
        doublesAbove: 200_000,
        source: geminiPages,
      }),
    ],
  },
]
