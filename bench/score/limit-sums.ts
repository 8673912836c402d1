import { type LimitName, type LimitOptions, limitNames, limitsOf } from './limits.ts'
import type { BenchSession } from './sources.ts'

/** A limit over all sessions, with what they cost without any pruning. */
export interface LimitSum {
  readonly cost: number[]
  readonly noneCost: number[]
  tokens: number | null
  noneTokens: number
  readonly tokenRatios: number[]
}

/** What a session comes to when nothing is left out. */
export interface Unpruned {
  readonly tokens: number
  readonly price: { readonly cost: readonly number[] }
}

export function createLimitSums(options: LimitOptions = {}): {
  add(session: BenchSession, none: Unpruned): void
  readonly sums: ReadonlyMap<LimitName, LimitSum>
} {
  const sums = new Map<LimitName, LimitSum>(
    limitNames.map((name) => [
      name,
      {
        cost: [0, 0, 0, 0, 0, 0],
        noneCost: [0, 0, 0, 0, 0, 0],
        tokens: 0,
        noneTokens: 0,
        tokenRatios: [],
      },
    ]),
  )
  return {
    sums,
    add(session, none) {
      for (const limit of limitsOf(session, options)) {
        const sum = sums.get(limit.name) as LimitSum
        for (const [index, cost] of limit.cost.entries()) {
          sum.cost[index] = (sum.cost[index] ?? 0) + cost
          sum.noneCost[index] = (sum.noneCost[index] ?? 0) + (none.price.cost[index] ?? 0)
        }
        sum.noneTokens += none.tokens
        sum.tokens = limit.tokens === null || sum.tokens === null ? null : sum.tokens + limit.tokens
        if (limit.tokens !== null && none.tokens > 0)
          sum.tokenRatios.push(limit.tokens / none.tokens)
      }
    },
  }
}
