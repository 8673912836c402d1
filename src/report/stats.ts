import type { Reason, SupersedeKind } from '../core/words/decision.ts'
import { type DecidedItem, savedTokens } from './decided-items.ts'

/** The kinds of supersession in the order in which they run, with their signs. */
export const supersedeSigns: Readonly<Record<SupersedeKind, string>> = {
  hash: '🔄',
  file: '📁',
  todo: '✅',
  url: '🔗',
  search: '🔎',
  query: '📊',
  snapshot: '📸',
  retry: '🔁',
  context: '🔧',
}

export const supersedeKinds: readonly SupersedeKind[] =
  Object.keys(supersedeSigns).filter(isSupersedeKind)

export interface StrategyTally {
  /** Items decided about, each once. */
  readonly count: number
  /** What they save in one request. */
  readonly tokens: number
  /** How many of them were sent with a request. */
  readonly applied: number
}

/** Supersession by kind under `autoSupersede`; every other strategy that decided something under its configuration key. */
export interface StrategyStats {
  readonly autoSupersede: Readonly<Record<SupersedeKind, StrategyTally>>
  readonly [strategy: string]: Readonly<Record<string, StrategyTally>> | StrategyTally
}

const none: StrategyTally = { count: 0, tokens: 0, applied: 0 }

/**
 * False for a decision that changes nothing for the model, such as leaving out a marker that it does not see. Only what
 * has an effect is counted and logged. A superseded call has one, however short its result.
 */
export function hasEffect(decided: DecidedItem): boolean {
  return isSupersedeKind(decided.decision.reason) || savedTokens(decided) !== 0
}

/** Each item counts once, under the strategy of the last decision about it. */
export function strategyStats(items: Iterable<DecidedItem>): StrategyStats {
  const kinds = perKind(() => none)
  const strategies = new Map<string, StrategyTally>()
  for (const decided of items) {
    if (!hasEffect(decided)) continue
    const { reason, strategy } = decided.decision
    if (isSupersedeKind(reason)) kinds[reason] = counted(kinds[reason], decided)
    else strategies.set(strategy, counted(strategies.get(strategy) ?? none, decided))
  }
  return { ...Object.fromEntries(strategies), autoSupersede: kinds }
}

/** A value for each kind of supersession. */
export function perKind<Value>(of: (kind: SupersedeKind) => Value): Record<SupersedeKind, Value> {
  return Object.fromEntries(supersedeKinds.map((kind) => [kind, of(kind)])) as Record<
    SupersedeKind,
    Value
  >
}

/** The strategies that are not supersession, by their keys. */
export function pruningTallies(
  stats: StrategyStats,
): readonly (readonly [strategy: string, tally: StrategyTally])[] {
  const found: (readonly [string, StrategyTally])[] = []
  for (const [strategy, tally] of Object.entries(stats)) {
    if (isTally(tally)) found.push([strategy, tally])
  }
  return found
}

export function addTallies(tallies: Iterable<StrategyTally>): StrategyTally {
  let sum = none
  for (const { count, tokens, applied } of tallies) {
    sum = {
      count: sum.count + count,
      tokens: sum.tokens + tokens,
      applied: sum.applied + applied,
    }
  }
  return sum
}

export function isSupersedeKind(reason: Reason | string): reason is SupersedeKind {
  return Object.hasOwn(supersedeSigns, reason)
}

function counted(tally: StrategyTally, decided: DecidedItem): StrategyTally {
  const one = { count: 1, tokens: savedTokens(decided), applied: decided.isApplied ? 1 : 0 }
  return addTallies([tally, one])
}

function isTally(value: StrategyStats[string]): value is StrategyTally {
  return typeof value.count === 'number'
}
