import type { PolicyScore, RatioSummary } from './pool.ts'
import { type RegimeName, regimeNames } from './regimes.ts'

/** A table of text: the first row is its heading. */
export type Table = readonly (readonly string[])[]

const ratio = (value: number): string => value.toFixed(2)
const percent = (share: number): string => (share * 100).toFixed(1)

/** The scoreboard: tokens sent, cost, and evidence kept. */
export function scoreTable(scores: readonly PolicyScore[]): Table {
  return [
    [
      ...['policy', 'tokens mean', 'tokens pooled', ...regimeNames.map((name) => `$ ${name}`)],
      ...['% cost more (5m)', 'hit %', 'busts/session', 'E1 current %', 'stale', 'recov', 'lost'],
      ...['E2 visible %', 'recov', 'lost', 'E4 %', 'E5 %', 'invalid', 'coverage %'],
    ],
    ...scores.map((score) => [
      ...[score.policy, ratio(score.tokens.mean), ratio(score.tokens.pooled)],
      ...regimeNames.map((name) => ratio(score.dollars[name].pooled)),
      percent(score.dollars['anthropic-5m'].costMore),
      percent(score.hitRate),
      score.bustsPerSession.toFixed(2),
      ...[score.E1.current, score.E1.stale, score.E1.recoverable, score.E1.lost].map(percent),
      ...[score.E2.current, score.E2.recoverable, score.E2.lost, score.E4, score.E5].map(percent),
      String(score.invalid),
      percent(score.coverage),
    ]),
  ]
}

/** How the ratios spread over sessions. */
export function spreadTable(scores: readonly PolicyScore[]): Table {
  const named: readonly RegimeName[] = regimeNames.filter((name) => name !== 'no-cache')
  return [
    [
      ...['policy', 'peak mean', 'pooled anthropic-5m, 95 % CI'],
      ...named.flatMap((name) => [`${name}: mean`, 'p95', 'worst', '% cost more']),
    ],
    ...scores.map(({ policy, peak, dollars }) => [
      policy,
      ratio(peak.mean),
      dollars['anthropic-5m'].interval.map(ratio).join('-'),
      ...named.flatMap((name) => spreadCells(dollars[name])),
    ]),
  ]
}

function spreadCells({ mean, p95, worst, costMore }: RatioSummary): readonly string[] {
  return [ratio(mean), ratio(p95), ratio(worst), percent(costMore)]
}

/** The cost when missing evidence is fetched back. */
export function recallTable(scores: readonly PolicyScore[]): Table {
  return [
    [
      ...['policy', ...regimeNames.map((name) => `$ ${name} + recalls`), '% cost more (5m)'],
      ...['recall requests/session', 'recalled per 100 pruned items', 'failed edits'],
    ],
    ...scores.map((score) => [
      score.policy,
      ...regimeNames.map((name) => ratio(score.dollarsWithRecalls[name].pooled)),
      percent(score.dollarsWithRecalls['anthropic-5m'].costMore),
      score.recallsPerSession.toFixed(2),
      score.recalledPerHundredPruned?.toFixed(1) ?? '-',
      String(score.failedEdits),
    ]),
  ]
}

export function markdownTable([heading = [], ...rows]: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(line)].join('\n')
}
