import { createRandom, quantile } from './quantile.ts'
import { type RegimeName, regimeNames } from './regimes.ts'
import type { SessionScore } from './score.ts'

/** A session under a policy, and the same session without one. */
export interface ScoredPair {
  readonly score: SessionScore
  readonly none: SessionScore
}

/** A ratio over many sessions; 1 is the value without a policy. */
export interface RatioSummary {
  readonly pooled: number
  readonly mean: number
  readonly p95: number
  readonly worst: number
  /** Share of the sessions with a ratio above 1. */
  readonly costMore: number
  /** 95 % of resamplings of the sessions give a pooled ratio between these. */
  readonly interval: readonly [number, number]
}

export interface PolicyScore {
  readonly policy: string
  readonly sessions: number
  readonly requests: number
  readonly tokens: RatioSummary
  readonly peak: RatioSummary
  readonly dollars: Readonly<Record<RegimeName, RatioSummary>>
  readonly dollarsWithRecalls: Readonly<Record<RegimeName, RatioSummary>>
  /** Share of all tokens that was read from the cache, under anthropic-5m. */
  readonly hitRate: number
  readonly bustsPerSession: number
  readonly E1: Readonly<Record<'current' | 'stale' | 'recoverable' | 'lost', number>>
  readonly E2: Readonly<Record<'current' | 'recoverable' | 'lost', number>>
  readonly needs: Readonly<Record<'E1' | 'E2', number>>
  readonly E4: number
  readonly E5: number
  /** Faults of all requests. */
  readonly invalid: number
  readonly coverage: number
  readonly recallsPerSession: number
  readonly recalledPerHundredPruned: number | null
  readonly failedEdits: number
}

const resamplings = 1_000
const roundingError = 1e-9

/** Sums up a policy over sessions. Shares are from 0 to 1; a share of nothing is 1. */
export function poolScores(pairs: readonly ScoredPair[]): PolicyScore {
  const sum = (of: (score: SessionScore) => number): number =>
    pairs.reduce((total, { score }) => total + of(score), 0)
  const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)
  const byRegime = (
    cost: (score: SessionScore, regime: number) => number,
  ): Readonly<Record<RegimeName, RatioSummary>> =>
    Object.fromEntries(
      regimeNames.map((name, regime) => [
        name,
        summarise(
          pairs.map(({ score, none }) => [cost(score, regime), none.price.cost[regime] ?? 0]),
        ),
      ]),
    ) as Record<RegimeName, RatioSummary>
  const ratios = (of: (score: SessionScore) => number): RatioSummary =>
    summarise(pairs.map(({ score, none }) => [of(score), of(none)]))
  const E1 = (outcome: keyof PolicyScore['E1']): number => sum((score) => score.E1[outcome])
  const E2 = (outcome: keyof PolicyScore['E2']): number => sum((score) => score.E2[outcome])
  const anchors = E1('current') + E1('stale') + E1('recoverable') + E1('lost')
  const identifiers = E2('current') + E2('recoverable') + E2('lost')
  const pruned = sum(({ prunedItems }) => prunedItems)
  const part = (count: number, whole: number): number => (whole === 0 ? 0 : count / whole)
  return {
    policy: pairs[0]?.score.policy ?? 'none',
    sessions: pairs.length,
    requests: sum(({ requests }) => requests),
    tokens: ratios(({ tokens }) => tokens),
    peak: ratios(({ peak }) => peak),
    dollars: byRegime(({ price }, regime) => price.cost[regime] ?? 0),
    dollarsWithRecalls: byRegime(({ recalls }, regime) => recalls.cost[regime] ?? 0),
    hitRate: share(
      sum(({ price }) => price.read[0] ?? 0),
      sum(({ price }) => price.sent),
    ),
    bustsPerSession: part(
      sum(({ busts }) => busts),
      pairs.length,
    ),
    E1: {
      current: share(E1('current'), anchors),
      stale: part(E1('stale'), anchors),
      recoverable: part(E1('recoverable'), anchors),
      lost: part(E1('lost'), anchors),
    },
    E2: {
      current: share(E2('current'), identifiers),
      recoverable: part(E2('recoverable'), identifiers),
      lost: part(E2('lost'), identifiers),
    },
    needs: { E1: anchors, E2: identifiers },
    E4: share(
      sum((score) => score.E4.kept),
      sum((score) => score.E4.of),
    ),
    E5: share(
      sum((score) => score.E5.kept),
      sum((score) => score.E5.of),
    ),
    invalid: sum(({ faults }) => faults.length),
    coverage: Math.min(1, ...pairs.map(({ score }) => score.coverage)),
    recallsPerSession: part(
      sum(({ recalls }) => recalls.requests),
      pairs.length,
    ),
    recalledPerHundredPruned:
      pruned === 0 ? null : (sum(({ recalls }) => recalls.items) * 100) / pruned,
    failedEdits: E1('stale'),
  }
}

function summarise(pairs: readonly (readonly [number, number])[]): RatioSummary {
  const pooled = (chosen: readonly (readonly [number, number])[]): number => {
    const whole = chosen.reduce((sum, [, none]) => sum + none, 0)
    return whole === 0 ? 1 : chosen.reduce((sum, [score]) => sum + score, 0) / whole
  }
  const ratios = pairs.map(([score, none]) => (none === 0 ? 1 : score / none)).sort((a, b) => a - b)
  const count = Math.max(1, ratios.length)
  const random = createRandom(20_261_115)
  const samples = Array.from({ length: resamplings }, () =>
    pooled(
      pairs.map(() => pairs[Math.floor(random() * pairs.length)] as readonly [number, number]),
    ),
  ).sort((a, b) => a - b)
  return {
    pooled: pooled(pairs),
    mean: ratios.length === 0 ? 1 : ratios.reduce((sum, ratio) => sum + ratio, 0) / count,
    p95: quantile(ratios, 0.95),
    worst: ratios.at(-1) ?? 1,
    costMore: ratios.filter((ratio) => ratio > 1 + roundingError).length / count,
    interval: [quantile(samples, 0.025), quantile(samples, 0.975)],
  }
}
