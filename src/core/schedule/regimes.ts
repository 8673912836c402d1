import { type ModelFacts, type ModelOverride, modelFacts } from './models/model-facts.ts'
import type { PriceStep } from './models/model-row.ts'

export const regimeNames = [
  'anthropic-5m',
  'anthropic-1h',
  'opus-5.5',
  'openai',
  'deepseek-v4',
  'no-cache',
] as const

export type RegimeName = (typeof regimeNames)[number]

/** How a provider prices a prompt. `write` and `read` are multiples of the base input price. */
export interface Regime {
  /** One of `regimeNames`, or the model's name in `modelFacts`. */
  readonly name: string
  /** Dollars for a million input tokens. */
  readonly inputPrice: number
  readonly write: number
  readonly read: number
  /** How long a prefix stays cached; null when nothing is cached. */
  readonly lifetimeMs: number | null
  /** A cached prefix is found only when it ends fewer than this many items before the breakpoint. */
  readonly lookbackItems?: number
  /** Other prices for long prompts, in ascending order. */
  readonly steps?: readonly PriceStep[]
}

const minute = 60_000

export interface NamedRegime extends Regime {
  readonly name: RegimeName
}

export const regimes: readonly NamedRegime[] = [
  { name: 'anthropic-5m', inputPrice: 3, write: 1.25, read: 0.1, lifetimeMs: 5 * minute },
  { name: 'anthropic-1h', inputPrice: 3, write: 2, read: 0.1, lifetimeMs: 60 * minute },
  { name: 'opus-5.5', inputPrice: 4, write: 1.25, read: 0.05, lifetimeMs: 5 * minute },
  { name: 'openai', inputPrice: 1.25, write: 1, read: 0.1, lifetimeMs: 5 * minute },
  { name: 'deepseek-v4', inputPrice: 0.435, write: 1, read: 0.0083, lifetimeMs: 5 * minute },
  { name: 'no-cache', inputPrice: 3, write: 1, read: 1, lifetimeMs: null },
]

export function findRegime(name: string): NamedRegime | undefined {
  return regimes.find((regime) => regime.name === name)
}

/** The cache lifetime that the client asks for. */
export type Lifetime = 'short' | 'long'

/** The regime of a model. */
export function regimeOf(facts: ModelFacts, lifetime: Lifetime = 'short'): Regime {
  const { cache } = facts
  const long = lifetime === 'long' && cache.kind === 'breakpoints' ? cache.longLifetimeMs : null
  const base = { name: facts.name, inputPrice: facts.inputPrice, steps: facts.steps }
  if (cache.kind === 'none') return { ...base, write: 1, read: 1, lifetimeMs: null }
  return {
    ...base,
    write: long === null ? facts.write : (facts.longWrite ?? facts.write),
    read: facts.read,
    lifetimeMs: long ?? cache.lifetimeMs,
    ...(cache.kind === 'breakpoints' && cache.lookbackBlocks !== null
      ? { lookbackItems: cache.lookbackBlocks }
      : {}),
  }
}

/** The regime of a model by its name; an unknown model has the strictest one. */
export function regimeFor(model: string | null, overrides?: readonly ModelOverride[]): Regime {
  return regimeOf(modelFacts(model, overrides))
}

/** The input tokens of one request: read from the cache, written to it, or neither. */
export interface RequestTokens {
  readonly read: number
  readonly written: number
  readonly uncached?: number
}

/** The price of a request's input in dollars. A price step for long prompts applies to every token. */
export function dollarsOf(regime: Regime, { read, written, uncached = 0 }: RequestTokens): number {
  const prompt = read + written + uncached
  const step = regime.steps?.findLast(({ aboveTokens }) => prompt > aboveTokens)
  const price = step?.inputPrice ?? regime.inputPrice
  return ((read * regime.read + written * regime.write + uncached) * price) / 1_000_000
}
