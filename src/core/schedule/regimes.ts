/** How a provider prices a prompt: multiples of the base input price, and how long a prefix stays cached. */
export interface Regime {
  readonly name:
    | 'anthropic-5m'
    | 'anthropic-1h'
    | 'opus-5.5'
    | 'openai'
    | 'deepseek-v4'
    | 'no-cache'
  /** Dollars for a million input tokens. */
  readonly inputPrice: number
  readonly write: number
  readonly read: number
  /** null: nothing is cached. */
  readonly lifetimeMs: number | null
}

const minute = 60_000

export const regimes: readonly Regime[] = [
  { name: 'anthropic-5m', inputPrice: 3, write: 1.25, read: 0.1, lifetimeMs: 5 * minute },
  { name: 'anthropic-1h', inputPrice: 3, write: 2, read: 0.1, lifetimeMs: 60 * minute },
  { name: 'opus-5.5', inputPrice: 4, write: 1.25, read: 0.05, lifetimeMs: 5 * minute },
  { name: 'openai', inputPrice: 1.25, write: 1, read: 0.1, lifetimeMs: 10 * minute },
  { name: 'deepseek-v4', inputPrice: 0.435, write: 1, read: 0.0083, lifetimeMs: 24 * 60 * minute },
  { name: 'no-cache', inputPrice: 3, write: 1, read: 1, lifetimeMs: null },
]

export function findRegime(name: string): Regime | undefined {
  return regimes.find((regime) => regime.name === name)
}
