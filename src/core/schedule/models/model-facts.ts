import { fitsPattern } from '../../words/name-pattern.ts'
import { familyRow, modelFamilies } from './model-family.ts'
import type {
  CacheRules,
  FamilyTrait,
  ModelFamilyRow,
  ModelProvider,
  PriceRow,
  PriceStep,
  ReasoningBinding,
} from './model-row.ts'

/** What is known about a model: prices, cache rules, and which parts of a history may be changed. */
export interface ModelFacts {
  /** The row of the table that the facts come from, or `unknown`. */
  readonly name: string
  readonly family: string
  readonly provider: ModelProvider
  /** Dollars per million input tokens. `write`, `longWrite` and `read` are multiples of it. */
  readonly inputPrice: number
  readonly write: number
  /** For an entry with the long lifetime; null where there is none. */
  readonly longWrite: number | null
  readonly read: number
  readonly steps: readonly PriceStep[]
  readonly cache: CacheRules
  readonly contextLimit: number | null
  readonly reasoning: ReasoningBinding
  /** Which validator rules apply beyond those for all models. */
  readonly traits: readonly FamilyTrait[]
  readonly source: string
}

/** The user's corrections for the models whose names match. */
export interface ModelOverride {
  /** A model's name, case-insensitive; `*` matches any characters. */
  readonly model: string
  /** The name of a similar model, from which everything not given here is taken. */
  readonly like?: string | undefined
  readonly inputPrice?: number | undefined
  readonly write?: number | undefined
  readonly longWrite?: number | null | undefined
  readonly read?: number | undefined
  /** 0 when nothing is cached. */
  readonly cacheMinutes?: number | undefined
  readonly minimumTokens?: number | undefined
  readonly contextLimit?: number | null | undefined
  readonly reasoning?: ReasoningBinding | undefined
}

const minute = 60_000

/** The facts of a model, overridden by the first matching override. */
export function modelFacts(
  model: string | null,
  overrides: readonly ModelOverride[] = [],
): ModelFacts {
  const override = overrides.find((each) => model !== null && fitsPattern(each.model, model))
  const base = factsOf(override?.like ?? model ?? '')
  return override === undefined ? base : overridden(base, override)
}

function factsOf(model: string): ModelFacts {
  const family = familyRow(model)
  if (family === undefined) return unknownFacts
  const name = model.toLowerCase()
  const row = family.prices.find(({ pattern }) => pattern.test(name))
  return {
    ...(row === undefined ? { ...pricesOf(unknownRow), name: family.name } : pricesOf(row)),
    family: family.name,
    provider: family.provider,
    reasoning: family.reasoning ?? reasoningOf(family.traits),
    traits: family.traits,
  }
}

function reasoningOf(traits: readonly FamilyTrait[]): ReasoningBinding {
  if (traits.includes('bindsReasoning')) return 'prefix-checked'
  if (traits.includes('signsThinking') || traits.includes('wantsThoughtSignatures')) return 'signed'
  return 'none'
}

function pricesOf({ pattern: _, ...prices }: PriceRow): Omit<PriceRow, 'pattern'> {
  return prices
}

/**
 * An unknown model gets the most expensive write, the cheapest read and the longest lifetime of all known models, so that
 * changes of cached bytes are judged most strictly. Its signed reasoning counts as bound to its prefix.
 */
const unknownRow: PriceRow = strictest(modelFamilies)
const unknownFacts: ModelFacts = {
  ...pricesOf(unknownRow),
  family: 'unknown',
  provider: 'unknown',
  reasoning: 'prefix-checked',
  traits: [],
}

function strictest(families: readonly ModelFamilyRow[]): PriceRow {
  const rows = families.flatMap(({ prices }) => prices)
  const caches = rows.flatMap(({ cache }) => (cache.kind === 'none' ? [] : [cache]))
  return {
    name: 'unknown',
    pattern: /^/,
    inputPrice: median(rows.map(({ inputPrice }) => inputPrice)),
    write: Math.max(...rows.map(({ write, longWrite }) => Math.max(write, longWrite ?? 0))),
    longWrite: null,
    read: Math.min(...rows.map(({ read }) => read)),
    steps: [],
    cache: {
      kind: 'automatic',
      stepTokens: 1,
      lifetimeMs: Math.max(...caches.map(({ lifetimeMs }) => lifetimeMs)),
      minimumTokens: Math.min(...caches.map(({ minimumTokens }) => minimumTokens)),
    },
    contextLimit: null,
    source: 'not known: the strictest of what is known of others, at the median price',
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0
}

function overridden(base: ModelFacts, override: ModelOverride): ModelFacts {
  const { inputPrice, write, longWrite, read, contextLimit, reasoning } = override
  return {
    ...base,
    name: override.model,
    inputPrice: inputPrice ?? base.inputPrice,
    write: write ?? base.write,
    longWrite: longWrite === undefined ? base.longWrite : longWrite,
    read: read ?? base.read,
    // Price steps belong to the base price, so a new base price drops them.
    steps: inputPrice === undefined ? base.steps : [],
    cache: overriddenCache(base.cache, override),
    contextLimit: contextLimit === undefined ? base.contextLimit : contextLimit,
    reasoning: reasoning ?? base.reasoning,
    source: `configuration; ${base.source}`,
  }
}

function overriddenCache(base: CacheRules, override: ModelOverride): CacheRules {
  if (override.cacheMinutes === 0 || base.kind === 'none') return { kind: 'none' }
  const { cacheMinutes, minimumTokens } = override
  return {
    ...base,
    lifetimeMs: cacheMinutes === undefined ? base.lifetimeMs : cacheMinutes * minute,
    minimumTokens: minimumTokens ?? base.minimumTokens,
  }
}
