import type { CacheRules, ModelFamilyRow, PriceRow } from './model-row.ts'

const minute = 60_000

/** Up to GPT-5.5: every prefix, in steps of 128 tokens, for five to ten minutes without use. */
const automatic: CacheRules = {
  kind: 'automatic',
  stepTokens: 128,
  lifetimeMs: 10 * minute,
  minimumTokens: 1024,
}

/** From GPT-5.6 on: one breakpoint that the provider sets and up to three of the client's; half an hour at least. */
const breakpoints: CacheRules = {
  kind: 'breakpoints',
  breakpoints: 4,
  lookbackBlocks: null,
  lifetimeMs: 30 * minute,
  longLifetimeMs: null,
  minimumTokens: 1024,
}

interface Figures {
  readonly input: number
  readonly read?: number
  readonly context: number | null
  /** Above 272k prompt tokens, input costs twice as much. */
  readonly doubles?: true
}

const pages = 'developers.openai.com: api/docs/pricing, api/docs/guides/prompt-caching'

function priced(name: string, pattern: RegExp, figures: Figures, cache: CacheRules): PriceRow {
  const { input, read = 0.1, context, doubles } = figures
  return {
    name,
    pattern,
    inputPrice: input,
    // Writes are billed where breakpoints are.
    write: cache.kind === 'breakpoints' ? 1.25 : 1,
    longWrite: null,
    read,
    steps: doubles ? [{ aboveTokens: 272_000, inputPrice: 2 * input }] : [],
    cache,
    contextLimit: context,
    source: pages,
  }
}

const older = (name: string, pattern: RegExp, figures: Figures): PriceRow =>
  priced(name, pattern, figures, automatic)
const newer = (name: string, pattern: RegExp, figures: Figures): PriceRow =>
  priced(name, pattern, figures, breakpoints)

export const openaiModels: readonly ModelFamilyRow[] = [
  { name: 'gpt-oss', provider: 'unknown', pattern: /gpt-oss/, traits: [], prices: [] },
  {
    name: 'openai',
    provider: 'openai',
    pattern: /(?:^|[/.:])(?:gpt-|chatgpt|codex|o[1-9](?:$|-))/,
    traits: ['limitsCallIds'],
    // Reasoning items are encrypted.
    reasoning: 'signed',
    prices: [
      newer('gpt-6.1-sol', /gpt-6\.[1-9]\S*-sol/, {
        input: 2,
        read: 0.05,
        context: 1_050_000,
        doubles: true,
      }),
      newer('gpt-6-astra', /gpt-6\S*-astra/, { input: 10, context: 1_050_000, doubles: true }),
      newer('gpt-6-luna', /gpt-6\S*-luna/, { input: 0.1, context: 1_050_000, doubles: true }),
      newer('gpt-6', /gpt-[6-9](?!\d)/, { input: 2, context: 1_050_000, doubles: true }),
      newer('gpt-5.6-terra', /gpt-5\.[6-9]\S*-terra/, { input: 2.5, context: null }),
      newer('gpt-5.6-luna', /gpt-5\.[6-9]\S*-luna/, { input: 1, context: null }),
      newer('gpt-5.6-sol', /gpt-5\.[6-9](?!\d)/, { input: 5, context: null }),
      older('gpt-5.5', /gpt-5\.5(?!\d)/, { input: 5, context: 1_000_000, doubles: true }),
      older('gpt-5.4-mini', /gpt-5\.4-mini/, { input: 0.75, context: 400_000 }),
      older('gpt-5.4-nano', /gpt-5\.4-nano/, { input: 0.2, context: 400_000 }),
      older('gpt-5.4', /gpt-5\.4(?!\d)/, { input: 2.5, context: 1_000_000, doubles: true }),
      older('gpt-5-mini', /gpt-5(?:\.[0-3])?(?:-codex)?-mini/, { input: 0.25, context: 400_000 }),
      older('gpt-5-nano', /gpt-5(?:\.[0-3])?-nano/, { input: 0.05, context: 400_000 }),
      older('gpt-5.2', /gpt-5\.[23](?!\d)/, { input: 1.75, context: 400_000 }),
      older('gpt-5', /gpt-5(?:\.[01])?(?![.\d])/, { input: 1.25, context: 400_000 }),
      older('gpt-4.1-mini', /gpt-4\.1-mini/, { input: 0.4, read: 0.25, context: 1_047_576 }),
      older('gpt-4.1-nano', /gpt-4\.1-nano/, { input: 0.1, read: 0.25, context: 1_047_576 }),
      older('gpt-4.1', /gpt-4\.1(?!\d)/, { input: 2, read: 0.25, context: 1_047_576 }),
      older('gpt-4o-mini', /gpt-4o-mini/, { input: 0.15, read: 0.5, context: 128_000 }),
      older('gpt-4o', /gpt-4o/, { input: 2.5, read: 0.5, context: 128_000 }),
      older('o3', /(?:^|[/.:])o3(?:$|-(?!mini))/, { input: 2, read: 0.25, context: 200_000 }),
      older('o4-mini', /(?:^|[/.:])o4-mini/, { input: 1.1, read: 0.25, context: 200_000 }),
      older('o3-mini', /(?:^|[/.:])o[13]-mini/, { input: 1.1, read: 0.5, context: 200_000 }),
      older('o1', /(?:^|[/.:])o1/, { input: 15, read: 0.5, context: 200_000 }),
      {
        ...newer('openai', /^/, { input: 2, read: 0.05, context: null }),
        source: `${pages}; an unknown model: the most expensive write and the cheapest read of all of them`,
      },
    ],
  },
]
