import { byAgent } from '../score/anatomy.ts'
import { type PolicyScore, poolScores } from '../score/pool.ts'
import { type RegimeName, regimeNames } from '../score/regimes.ts'
import type { Section } from '../score/report.ts'
import type { Table } from '../score/tables.ts'
import { declaredNames, type HeldOut, type HeldOutPair, type Told } from './held-out.ts'
import { fates, sumOf } from './residue.ts'

const ratio = (value: number): string => value.toFixed(2)
/** Variants differ by less than a hundredth. */
const fineRatio = (value: number): string => value.toFixed(3)
const percent = (share: number): string => (share * 100).toFixed(1)
const worst = 'anthropic-1h'
/** Agents and repositories with fewer sessions say little on their own. */
const leastSessions = 5
/** Kinds of items below this share of the dollars are left out. */
const leastShare = 0.005

const whatStandsInTheWay = [
  'What stands in the way of less: of what is *let stand*, most is file text that may still be edited, or text behind which too',
  'much of a warm cache would be written again. Small items save little more than the words in their place take, and the words of the',
  'agent are never shortened. Knowing exactly what will be needed would help Codex, most of whose large outputs are never copied from again, and',
  'Claude Code hardly: there the price of rewriting a warm cache decides, and the rule that no request may leave a session with a loss.',
  'Tried, and left out because they lose edit anchors for the little that they save: results from 700 characters on, old inputs after 20',
  'requests, shorter structures of files, files whose largest bodies are folded first and the rest later, a gate that expects sessions to',
  'last twice as long, and one that also counts the requests from before a compaction. Tried, and no better, or by less than a hundredth of',
  'the area under the curve, on repositories that were left out: to judge a result also by how long its file and its folder were left',
  'alone, how many of the files that it read the agent has edited, how often it edits, what of the result it has used, and how many',
  'results came at once.',
].join(' ')

/** The sections of the report, and the sentences of the README. */
export function heldOutSections(heldOut: HeldOut): readonly Section[] {
  const { repositories, days } = heldOut
  const { sessions } = poolScores(heldOut.undeclared)
  const dates = days === null ? '' : `, recorded from ${days[0]} to ${days[1]}`
  return [
    {
      heading: 'Held out: every repository judged by what was learnt from the others',
      text: `${sessions} sessions of ${repositories} repositories${dates}. The default preset, with everything fetched back that was missed. For each price model the engine is told the prices and the lifetime; *cost more* counts the sessions that are more expensive under the model that was declared, in any of the models, and *worst* is the most expensive one.`,
      table: declaredTable(heldOut),
    },
    {
      heading: 'Held out, nothing declared',
      text: 'The same sessions where the engine follows the recorded model and usage, whatever price model is applied afterwards. *Worst 5m* and *worst 1h* therefore also apply prices and lifetimes that the recording rules out. *Own worst* is priced as the recorded model is, with the lifetime that its usage shows.',
      table: undeclaredTable(byAgent(heldOut.undeclared, ({ agent }) => agent)),
    },
    {
      heading: 'Held out, a lifetime declared wrong',
      text: 'The engine is told one lifetime of the cache, and the other one is true. *Cost more* is the share of the sessions that are more expensive than without it, before recalls; the engine sees no usage here, which would soon tell it the truth.',
      table: wrongLifetimeTable(heldOut),
    },
    {
      heading: 'Held out by agent: every agent judged by what was learnt from the others',
      text: 'Nothing declared. What was learnt comes from the sessions of other agents alone.',
      table: undeclaredTable(byAgent(heldOut.otherAgents, ({ agent }) => agent)),
    },
    {
      heading: 'Held out, the folds of each agent',
      text: 'Nothing declared. Each row is one agent in one repository, judged by what was learnt from all other repositories.',
      table: undeclaredTable(folds(heldOut.undeclared)),
    },
    ...residueSections(heldOut),
    {
      heading: 'Held out, one thing changed',
      text: `Dollars under anthropic-5m with recalls, nothing declared. The rows with other values show what more or less caution would give; the rows without a strategy show what it alone is worth. ${whatStandsInTheWay}`,
      table: variantTable(heldOut),
    },
  ]
}

type Rows = readonly (readonly [name: string, pairs: readonly HeldOutPair[]])[]

/** What stands in the way of cheaper sessions, for all and for each agent. */
function residueSections({ undeclared }: HeldOut): readonly Section[] {
  return byAgent(undeclared, ({ agent }) => agent)
    .filter(([agent, pairs]) => agent === 'all' || pairs.length >= leastSessions)
    .map(([agent, pairs]) => ({
      heading: `Held out, where the dollars are: ${agent}`,
      text: 'Of each hundred dollars without us under anthropic-5m, at the cache state of our requests. *Needed later* is what the cheapest items with all needs cost until their last need; *small* is under 1,500 characters; *let stand* is what an oracle would have let go, and what the estimate of needs, the price of rewriting, or a rule kept.',
      table: residueTable(pairs),
    }))
}

function residueTable(pairs: readonly HeldOutPair[]): Table {
  const residue = [...sumOf(pairs.map((pair) => pair.residue))]
  const sumFor = (row: Readonly<Record<string, number>>): number =>
    Object.values(row).reduce((sum, dollars) => sum + dollars, 0)
  const whole = residue.reduce((sum, [, row]) => sum + sumFor(row), 0)
  const share = (dollars: number): string => ((dollars * 100) / whole).toFixed(1)
  const large = residue
    .filter(([, row]) => sumFor(row) > whole * leastShare)
    .sort(([, a], [, b]) => sumFor(b) - sumFor(a))
  const all = fates.map((fate) => residue.reduce((sum, [, row]) => sum + row[fate], 0))
  return [
    ['kind', 'all', ...fates],
    ['all', '100.0', ...all.map(share)],
    ...large.map(([kind, row]) => [
      kind,
      share(sumFor(row)),
      ...fates.map((fate) => share(row[fate])),
    ]),
  ]
}

/** The repositories of each agent that has more than one. */
function folds(pairs: readonly HeldOutPair[]): Rows {
  return byAgent(pairs, ({ agent }) => agent)
    .slice(1)
    .flatMap(([agent, own]) => {
      const repositories = byAgent(own, ({ repository }) => repository).slice(1)
      if (repositories.length < 2 || own.length < leastSessions) return []
      return repositories.map(([name, each]) => [`${agent}, ${name}`, each] as const)
    })
}

function declaredTable({ declared }: HeldOut): Table {
  const agents = byAgent(declared['anthropic-5m'], ({ agent }) => agent)
  const ofAgent = (name: RegimeName, agent: string): PolicyScore =>
    poolScores(
      agent === 'all' ? declared[name] : declared[name].filter((pair) => pair.agent === agent),
    )
  return [
    [
      ...['agent', 'sessions', ...declaredNames.map((name) => `$ ${name}`)],
      ...['$ 5m, 95 % CI', 'E1 current %', 'E2 visible %', 'stale, lost %', 'cost more', 'worst'],
    ],
    ...agents.map(([agent, pairs]) => {
      const scores = declaredNames.map((name) => ofAgent(name, agent))
      const [first] = scores as [PolicyScore, ...PolicyScore[]]
      const costMore = scores.map(({ dollars }, at) => dollars[declaredNames[at] as RegimeName])
      return [
        ...[agent, String(pairs.length)],
        ...scores.map((score, at) =>
          ratio(score.dollarsWithRecalls[declaredNames[at] as RegimeName].pooled),
        ),
        first.dollarsWithRecalls['anthropic-5m'].interval.map(ratio).join('-'),
        ...evidence(first),
        String(Math.round(pairs.length * Math.max(...costMore.map((each) => each.costMore)))),
        Math.max(...costMore.map((each) => each.worst)).toFixed(3),
      ]
    }),
  ]
}

/** Which lifetime is told, and which is true. */
const wrongLifetimes: readonly (readonly [told: Told, truth: Told])[] = [
  ['anthropic-5m', 'anthropic-1h'],
  ['anthropic-1h', 'anthropic-5m'],
]

function wrongLifetimeTable({ declared, unconfirmed }: HeldOut): Table {
  return [
    ['told', 'true', '$ told rightly', '$ told wrongly', 'cost more %', 'p95', 'worst'],
    ...wrongLifetimes.map(([told, truth]) => {
      const wrong = poolScores(unconfirmed[told])
      const { costMore, p95, worst } = wrong.dollars[truth]
      const right = poolScores(declared[truth]).dollarsWithRecalls[truth].pooled
      return [
        ...[told, truth, ratio(right), ratio(wrong.dollarsWithRecalls[truth].pooled)],
        ...[percent(costMore), p95.toFixed(3), worst.toFixed(3)],
      ]
    }),
  ]
}

function undeclaredTable(rows: Rows): Table {
  return [
    [
      ...['agent', 'sessions', ...regimeNames.map((name) => `$ ${name}`)],
      ...['$ 5m, 95 % CI', 'E1 current %', 'E2 visible %', 'stale, lost %', 'worst 5m', 'worst 1h'],
      'own worst',
    ],
    ...rows.map(([agent, pairs]) => {
      const score = poolScores(pairs)
      return [
        ...[agent, String(pairs.length)],
        ...regimeNames.map((name) => ratio(score.dollarsWithRecalls[name].pooled)),
        score.dollarsWithRecalls['anthropic-5m'].interval.map(ratio).join('-'),
        ...evidence(score),
        score.dollars['anthropic-5m'].worst.toFixed(3),
        score.dollars[worst].worst.toFixed(3),
        Math.max(...pairs.map(({ ownRatio }) => ownRatio)).toFixed(3),
      ]
    }),
  ]
}

function variantTable({ undeclared, variants }: HeldOut): Table {
  const agents = byAgent(undeclared, ({ agent }) => agent)
    .filter(([agent, pairs]) => agent === 'all' || pairs.length >= leastSessions)
    .map(([agent]) => agent)
  const row = (name: string, pairs: readonly HeldOutPair[]): readonly string[] => {
    const score = poolScores(pairs)
    const ofAgent = (agent: string): readonly HeldOutPair[] =>
      agent === 'all' ? pairs : pairs.filter((pair) => pair.agent === agent)
    return [
      name,
      ...agents.map((agent) =>
        fineRatio(poolScores(ofAgent(agent)).dollarsWithRecalls['anthropic-5m'].pooled),
      ),
      ...evidence(score),
      score.dollars['anthropic-5m'].worst.toFixed(3),
    ]
  }
  return [
    ['default, but', ...agents, 'E1 current %', 'E2 visible %', 'stale, lost %', 'worst 5m'],
    row('as it is', undeclared),
    ...variants.map(({ name, pairs }) => row(name, pairs)),
  ]
}

function evidence(score: PolicyScore): readonly string[] {
  return [
    score.needs.E1 === 0 ? '-' : percent(score.E1.current),
    score.needs.E2 === 0 ? '-' : percent(score.E2.current),
    `${percent(score.E1.stale)}, ${percent(score.E1.lost + score.E2.lost)}`,
  ]
}

/** How the README calls the agents. */
const agentNames: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'opencode-export': 'OpenCode',
  pi: 'Pi',
}

/** What the README says: pooled ratios with their interval, by agent, and the texts that agents edit. */
export function heldOutWords({ undeclared, declared, repositories, days }: HeldOut): string {
  const pooled = poolScores(undeclared)
  const { pooled: dollars, interval } = pooled.dollarsWithRecalls['anthropic-5m']
  const agents = byAgent(undeclared, ({ agent }) => agent)
    .filter(([agent, pairs]) => agent !== 'all' && pairs.length >= leastSessions)
    .map(([agent, pairs]) => {
      const own = poolScores(pairs).dollarsWithRecalls['anthropic-5m']
      return `${agentNames[agent] ?? agent} ${ratio(own.pooled)} (${own.interval.map(ratio).join('–')}, ${pairs.length} sessions)`
    })
  const costMore = declaredNames.reduce(
    (sum, name) => sum + poolScores(declared[name]).dollars[name].costMore * declared[name].length,
    0,
  )
  return [
    `Measured on ${pooled.sessions} recorded sessions of ${repositories} repositories${days === null ? '' : ` (${days[0]} to ${days[1]})`}, each`,
    'judged by what was learnt from the other repositories, with prompt caching and everything fetched back that was missed',
    `(\`npm run bench\`, all tables in [docs/benchmark.md](docs/benchmark.md)): the default costs **${ratio(dollars)}** of the input`,
    `dollars without it (95 % interval ${interval.map(ratio).join('–')}; ${agents.join('; ')}). ${percent(pooled.E1.current)} % of the texts that`,
    `agents edit stay visible and current, and ${Math.round(costMore) === 0 ? '**no session costs more** under the prices and the cache lifetime that it declares' : `${Math.round(costMore)} sessions cost more under declared prices`}.`,
  ].join('\n')
}
