import { byAgent } from '../score/anatomy.ts'
import { type PolicyScore, poolScores, type ScoredPair } from '../score/pool.ts'
import { type RegimeName, regimeNames } from '../score/regimes.ts'
import type { Section } from '../score/report.ts'
import type { Table } from '../score/tables.ts'
import type { HeldOut } from './held-out.ts'

const ratio = (value: number): string => value.toFixed(2)
const percent = (share: number): string => (share * 100).toFixed(1)
const worst = 'anthropic-1h'

/** The sections of the report, and the sentences of the README. */
export function heldOutSections(heldOut: HeldOut): readonly Section[] {
  const { repositories, days } = heldOut
  const { sessions } = poolScores(heldOut.undeclared)
  const dates = days === null ? '' : `, recorded from ${days[0]} to ${days[1]}`
  return [
    {
      heading: 'Held out: every repository judged by what was learnt from the others',
      text: `${sessions} sessions of ${repositories} repositories${dates}. The default preset, with everything fetched back that was missed. For each price model the engine is told the prices and the lifetime.`,
      table: declaredTable(heldOut),
    },
    {
      heading: 'Held out, nothing declared',
      text: 'The same sessions where the engine follows the recorded model and usage, whatever price model is applied afterwards.',
      table: undeclaredTable(heldOut.undeclared),
    },
  ]
}

function declaredTable({ declared }: HeldOut): Table {
  const agents = byAgent(declared['anthropic-5m'], ({ score }) => score.format)
  const ofAgent = (name: RegimeName, agent: string): PolicyScore =>
    poolScores(
      agent === 'all'
        ? declared[name]
        : declared[name].filter(({ score }) => score.format === agent),
    )
  return [
    [
      ...['agent', 'sessions', ...regimeNames.map((name) => `$ ${name}`)],
      ...['$ 5m, 95 % CI', 'E1 current %', 'E2 visible %', 'stale, lost %', 'cost more', 'worst'],
    ],
    ...agents.map(([agent, pairs]) => {
      const scores = regimeNames.map((name) => ofAgent(name, agent))
      const [first] = scores as [PolicyScore, ...PolicyScore[]]
      const costMore = scores.map(({ dollars }, at) => dollars[regimeNames[at] as RegimeName])
      return [
        ...[agent, String(pairs.length)],
        ...scores.map((score, at) =>
          ratio(score.dollarsWithRecalls[regimeNames[at] as RegimeName].pooled),
        ),
        first.dollarsWithRecalls['anthropic-5m'].interval.map(ratio).join('-'),
        ...evidence(first),
        String(Math.round(pairs.length * Math.max(...costMore.map((each) => each.costMore)))),
        Math.max(...costMore.map((each) => each.worst)).toFixed(3),
      ]
    }),
  ]
}

function undeclaredTable(all: readonly ScoredPair[]): Table {
  return [
    [
      ...['agent', 'sessions', ...regimeNames.map((name) => `$ ${name}`)],
      ...['$ 5m, 95 % CI', 'E1 current %', 'E2 visible %', 'stale, lost %', 'worst 5m', 'worst 1h'],
    ],
    ...byAgent(all, ({ score }) => score.format).map(([agent, pairs]) => {
      const score = poolScores(pairs)
      return [
        ...[agent, String(pairs.length)],
        ...regimeNames.map((name) => ratio(score.dollarsWithRecalls[name].pooled)),
        score.dollarsWithRecalls['anthropic-5m'].interval.map(ratio).join('-'),
        ...evidence(score),
        score.dollars['anthropic-5m'].worst.toFixed(3),
        score.dollars[worst].worst.toFixed(3),
      ]
    }),
  ]
}

function evidence(score: PolicyScore): readonly string[] {
  return [
    score.needs.E1 === 0 ? '-' : percent(score.E1.current),
    score.needs.E2 === 0 ? '-' : percent(score.E2.current),
    `${percent(score.E1.stale)}, ${percent(score.E1.lost + score.E2.lost)}`,
  ]
}

/** What the README says: pooled ratios with their interval, by agent, and the texts that agents edit. */
export function heldOutWords({ undeclared, declared, repositories, days }: HeldOut): string {
  const pooled = poolScores(undeclared)
  const { pooled: dollars, interval } = pooled.dollarsWithRecalls['anthropic-5m']
  const agents = byAgent(undeclared, ({ score }) => score.format)
    .filter(([agent, pairs]) => agent !== 'all' && pairs.length >= 5)
    .map(([agent, pairs]) => {
      const own = poolScores(pairs).dollarsWithRecalls['anthropic-5m']
      return `${agent} ${ratio(own.pooled)} (${own.interval.map(ratio).join('–')}, ${pairs.length} sessions)`
    })
  const costMore = regimeNames.reduce(
    (sum, name) => sum + poolScores(declared[name]).dollars[name].costMore * declared[name].length,
    0,
  )
  return [
    `Measured on ${pooled.sessions} recorded sessions of ${repositories} repositories${days === null ? '' : ` (${days[0]} to ${days[1]})`}, each`,
    'judged by what was learnt from the other repositories, with prompt caching and everything fetched back that was missed',
    `(\`npm run bench\`, all tables in [docs/benchmark.md](docs/benchmark.md)): the default costs **${ratio(dollars)}** of the input`,
    `dollars without it (95 % interval ${interval.map(ratio).join('–')}; ${agents.join('; ')}). ${percent(pooled.E1.current)} % of the texts that`,
    `agents edit stay visible and current, and ${Math.round(costMore) === 0 ? '**no session costs more** under the cache lifetime that it declares' : `${Math.round(costMore)} sessions cost more under a declared lifetime`}.`,
  ].join('\n')
}
