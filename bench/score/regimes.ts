import type { NamedRegime, RegimeName } from '../../src/core/schedule/regimes.ts'

const fiveMinutes = 300_000
const hour = 3_600_000

export type ScoredRegime = NamedRegime

/**
 * The six ways of pricing a prompt, in multiples of the price of an input token. A provider that promises no lifetime
 * is taken to keep a prefix for five minutes, so that such regimes differ in their prices alone.
 */
export const scoredRegimes: readonly ScoredRegime[] = [
  { name: 'anthropic-5m', inputPrice: 3, write: 1.25, read: 0.1, lifetimeMs: fiveMinutes },
  { name: 'anthropic-1h', inputPrice: 3, write: 2, read: 0.1, lifetimeMs: hour },
  { name: 'opus-5.5', inputPrice: 4, write: 1.25, read: 0.05, lifetimeMs: fiveMinutes },
  { name: 'openai', inputPrice: 1.25, write: 1, read: 0.1, lifetimeMs: fiveMinutes },
  { name: 'deepseek-v4', inputPrice: 0.435, write: 1, read: 0.0083, lifetimeMs: fiveMinutes },
  { name: 'no-cache', inputPrice: 3, write: 1, read: 1, lifetimeMs: null },
]

export const regimeNames: readonly RegimeName[] = scoredRegimes.map(({ name }) => name)

export type { RegimeName }
