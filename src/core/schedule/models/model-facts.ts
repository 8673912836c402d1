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

/** All that is known of a model: what it costs, what its provider caches, and what may be changed in its history. */
export interface ModelFacts {
  /** The row of the table that the facts come from, or `unknown`. */
  readonly name: string
  readonly family: string
  readonly provider: ModelProvider
  /** Dollars for a million input tokens; the multiples are of it. */
  readonly inputPrice: number
  readonly write: number
  /** Of an entry with the long lifetime; null where there is none. */
  readonly longWrite: number | null
  readonly read: number
  readonly steps: readonly PriceStep[]
  readonly cache: CacheRules
  readonly contextLimit: number | null
  readonly reasoning: ReasoningBinding
  /** Which rules of the validator hold beyond those for all models. */
  readonly traits: readonly FamilyTrait[]
  readonly source: string
}

/** What a user knows better about the models whose names fit. */
export interface ModelOverride {
  /** A model's name, in any case; `*` stands for any characters. */
  readonly model: string
  /** The name of a model that it is like: all that is not said here is taken from it. */
  readonly like?: string | undefined
  readonly inputPrice?: number | undefined
  readonly write?: number | undefined
  readonly longWrite?: number | null | undefined
  readonly read?: number | undefined
  /** 0: nothing is cached. */
  readonly cacheMinutes?: number | undefined
  readonly minimumTokens?: number | undefined
  readonly contextLimit?: number | null | undefined
  readonly reasoning?: ReasoningBinding | undefined
}

const minute = 60_000

/** The facts of a model; the first override that fits is put over them. */
export function modelFacts(
  model: string | null,
  overrides: readonly ModelOverride[] = [],
): ModelFacts {
  const override = overrides.find((each) => model !== null && fits(each.model, model))
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
 * A model that nobody knows is taken for one with the dearest write, the cheapest read and the longest lifetime of all,
 * so that a change of what may be cached is judged most strictly. Its signed reasoning counts as bound to its prefix.
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
    // The steps belong to the price that they continue.
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

function fits(pattern: string, model: string): boolean {
  const parts = pattern.toLowerCase().split('*')
  const name = model.toLowerCase()
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
