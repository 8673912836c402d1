import type { LimitSum } from './limit-sums.ts'
import type { LimitName } from './limits.ts'
import { regimeNames } from './regimes.ts'
import type { Table } from './tables.ts'

const ratio = (part: number, whole: number): string =>
  whole === 0 ? '-' : (part / whole).toFixed(2)

export function limitTable(limits: ReadonlyMap<LimitName, LimitSum>): Table {
  return [
    [
      ...['limit at 100 % evidence', 'tokens pooled', 'tokens mean'],
      ...regimeNames.map((name) => `$ ${name}`),
    ],
    ...[...limits].map(([name, { cost, noneCost, tokens, noneTokens, tokenRatios }]) => [
      name,
      tokens === null ? '-' : ratio(tokens, noneTokens),
      tokens === null
        ? '-'
        : ratio(
            tokenRatios.reduce((sum, each) => sum + each, 0),
            tokenRatios.length,
          ),
      ...regimeNames.map((_, index) => ratio(cost[index] ?? 0, noneCost[index] ?? 0)),
    ]),
  ]
}
