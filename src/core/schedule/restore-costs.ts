import type { RestoreCosts } from '../words/ledger.ts'
import type { Regime } from './regimes.ts'

/** The restores of a history so far. */
export type Restored = Omit<RestoreCosts, 'costs'>

/**
 * Adds what restores cost at this request: one request more, which reads `shared` characters again, the restored text once
 * written, and read with every request after that.
 */
export function addRestoreCosts(
  before: RestoreCosts | undefined,
  { requests, characters }: Restored,
  regimes: readonly Regime[],
  shared: number,
): RestoreCosts | undefined {
  if (requests === 0 && before === undefined) return undefined
  const known = before ?? { requests: 0, characters: 0, costs: [] }
  const kept = Math.min(known.characters, characters)
  const added = requests > known.requests ? (requests - known.requests) * shared : 0
  const costs = regimes.map(
    ({ read, write }, index) =>
      (known.costs[index] ?? 0) + read * (kept + added) + write * (characters - kept),
  )
  return { requests, characters, costs }
}
