import { byAgent } from './anatomy.ts'
import type { Contender } from './field.ts'
import { type PolicyScore, poolScores, type ScoredPair } from './pool.ts'
import { type RegimeName, regimeNames } from './regimes.ts'
import type { Table } from './tables.ts'

const ratio = (value: number): string => value.toFixed(2)
const percent = (share: number): string => (share * 100).toFixed(1)

/** The scores of one policy for each agent. */
export function agentTable(pairs: readonly ScoredPair[]): Table {
  return [
    [
      ...['agent', 'sessions', 'tokens pooled', ...regimeNames.map((name) => `$ ${name}`)],
      ...['$ 5m, 95 % CI', '% cost more (5m)', 'E1 current %', 'E2 visible %'],
    ],
    ...byAgent(pairs, ({ score }) => score.format).map(([agent, chosen]) => {
      const score = poolScores(chosen)
      return [
        ...[agent, String(chosen.length), ratio(score.tokens.pooled)],
        ...regimeNames.map((name) => ratio(score.dollars[name].pooled)),
        score.dollars['anthropic-5m'].interval.map(ratio).join('-'),
        percent(score.dollars['anthropic-5m'].costMore),
        score.needs.E1 === 0 ? '-' : percent(score.E1.current),
        score.needs.E2 === 0 ? '-' : percent(score.E2.current),
      ]
    }),
  ]
}

/** The sessions in which a policy scores worst, and why. */
export function worstTable(pairs: readonly ScoredPair[], count = 10): Table {
  const byPrice = pairs.toSorted((a, b) => recalledRatio(b) - recalledRatio(a))
  return [
    ['session', 'requests', '$ 5m', '$ 5m + recalls', 'tokens', 'E1 missed', 'E2 missed', 'reason'],
    ...byPrice
      .slice(0, count)
      .map((pair) => [
        pair.score.file,
        String(pair.score.requests),
        ratio(dollarRatio(pair)),
        ratio(recalledRatio(pair)),
        ratio(tokenRatio(pair)),
        String(missed(pair, 'E1')),
        String(missed(pair, 'E2')),
        reasonOf(pair),
      ]),
  ]
}

const dollarRatio = ({ score, none }: ScoredPair): number =>
  (score.price.cost[0] ?? 0) / (none.price.cost[0] ?? 1)

const recalledRatio = ({ score, none }: ScoredPair): number =>
  (score.recalls.cost[0] ?? 0) / (none.price.cost[0] ?? 1)

const tokenRatio = ({ score, none }: ScoredPair): number =>
  none.tokens === 0 ? 1 : score.tokens / none.tokens

function missed({ score }: ScoredPair, kind: 'E1' | 'E2'): number {
  return score.misses.filter(({ need }) => need.class === kind).length
}

function reasonOf(pair: ScoredPair): string {
  const { score } = pair
  const reasons: string[] = []
  const saved = 1 - tokenRatio(pair)
  if (score.prunedItems === 0) reasons.push('nothing was taken out')
  else if (saved < 0.05) reasons.push(`only ${percent(saved)} % of the tokens were taken out`)
  if (dollarRatio(pair) > 1 + saved / 10 && score.busts > 0)
    reasons.push(`${score.busts} changes of sent bytes cost more than they saved`)
  const recalls = recalledRatio(pair) - dollarRatio(pair)
  if (recalls > 0.01)
    reasons.push(`${score.recalls.requests} recalls add ${percent(recalls)} points`)
  if (score.faults.length > 0) reasons.push(`${score.faults.length} faults: ${score.faults[0]}`)
  if (score.requests < 15) reasons.push(`${score.requests} requests, mostly the constant prefix`)
  return reasons.length === 0 ? 'most of what it holds is needed or recent' : reasons.join('; ')
}

/**
 * Where others are cheaper than our default, recalls included, agent by agent: first those that leave as much evidence
 * in place, then by name those that leave less; and what of ours had to be fetched back or cost more.
 */
export function lossLines(
  pairsOf: ReadonlyMap<string, readonly ScoredPair[]>,
  contenders: readonly Contender[],
  own: string,
): readonly string[] {
  const lines: string[] = []
  const rivals = contenders.filter(({ name, isOurs }) => !isOurs && name !== 'none')
  for (const [agent, chosen] of byAgent(pairsOf.get(own) ?? [], ({ score }) => score.format)) {
    const score = poolScores(chosen)
    const cheaper = rivals
      .map(({ name }) => (pairsOf.get(name) ?? []).filter((pair) => isOf(agent, pair)))
      .map(poolScores)
      .filter((rival) => cheaperRegimes(rival, score).length > 0)
    const equal = cheaper.filter((rival) => leavesAsMuch(rival, score))
    lines.push(...equal.map((rival) => rivalLine(agent, rival, score)))
    const others = cheaper.filter((rival) => !equal.includes(rival))
    if (others.length > 0)
      lines.push(
        `${agent}: cheaper at less evidence: ${others.map((rival) => withEvidence(rival, score)).join('; ')}.`,
      )
    lines.push(...ownLines(agent, chosen, score))
  }
  return lines
}

const isOf = (agent: string, { score }: ScoredPair): boolean =>
  agent === 'all' || score.format === agent

const noise = 0.005
const comparable = 0.02

function cheaperRegimes(rival: PolicyScore, own: PolicyScore): readonly RegimeName[] {
  return regimeNames.filter(
    (regime) =>
      rival.dollarsWithRecalls[regime].pooled < own.dollarsWithRecalls[regime].pooled - noise,
  )
}

const leavesAsMuch = (rival: PolicyScore, own: PolicyScore): boolean =>
  rival.E1.current > own.E1.current - comparable && rival.E2.current > own.E2.current - comparable

function rivalLine(agent: string, rival: PolicyScore, own: PolicyScore): string {
  const figures = cheaperRegimes(rival, own).map(
    (regime) =>
      `${regime} ${ratio(rival.dollarsWithRecalls[regime].pooled)} to ${ratio(own.dollarsWithRecalls[regime].pooled)}`,
  )
  return `${agent}: **${rival.policy}** is cheaper with as much evidence: ${figures.join(', ')}. Why: ${whyCheaper(rival, own)}.`
}

function whyCheaper(rival: PolicyScore, own: PolicyScore): string {
  const regimes = cheaperRegimes(rival, own)
  const tokens = `${ratio(rival.tokens.pooled)} of the tokens to our ${ratio(own.tokens.pooled)}`
  if (own.needs.E1 + own.needs.E2 === 0)
    return `nothing that was read is used again in these sessions, so that whatever goes is missed by nobody (${tokens})`
  if (regimes.every((regime) => regime === 'no-cache'))
    return `it changes what was sent before whatever a cache holds of it, which is free only where nothing is cached (${tokens})`
  if (rival.tokens.pooled < own.tokens.pooled)
    return `it removes more, and by luck little of what was used again (${tokens})`
  return `it removes earlier what both remove (${tokens})`
}

function withEvidence(rival: PolicyScore, own: PolicyScore): string {
  const { policy, E1, E2, dollarsWithRecalls } = rival
  const prices = cheaperRegimes(rival, own).map(
    (regime) => `${regime} ${ratio(dollarsWithRecalls[regime].pooled)}`,
  )
  return `${policy} (${prices.join(', ')}; E1 ${percent(E1.current)} %, E2 ${percent(E2.current)} %)`
}

/** How what was missed was shown instead, the most frequent first. */
function hiddenBy(pairs: readonly ScoredPair[]): string {
  const ways = new Map<string, number>()
  for (const { score } of pairs) {
    for (const { hidden } of score.misses) {
      const way = hidden ?? 'nothing'
      ways.set(way, (ways.get(way) ?? 0) + 1)
    }
  }
  return [...ways]
    .toSorted(([, a], [, b]) => b - a)
    .map(([way, count]) => `${count} stood in what was shown as ${way}`)
    .join(', ')
}

function* ownLines(
  agent: string,
  pairs: readonly ScoredPair[],
  score: PolicyScore,
): Generator<string> {
  const misses = pairs.flatMap((pair) => pair.score.misses)
  const anchors = misses.filter(({ need }) => need.class === 'E1').length
  if (misses.length > 0)
    yield `${agent}: ${anchors} edit anchors and ${misses.length - anchors} identifiers had to be fetched back, by ${score.recallsPerSession.toFixed(2)} requests a session. Why: ${hiddenBy(pairs)}.`
  for (const regime of regimeNames) {
    const { costMore, worst } = score.dollars[regime]
    if (costMore > 0)
      yield `${agent}: ${percent(costMore)} % of the sessions cost more under ${regime}, the worst ${ratio(worst)}.`
  }
}
