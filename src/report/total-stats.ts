import type { Decision, SupersedeKind } from '../core/words/decision.ts'
import { isSupersedeKind, perKind, type StrategyStats, type StrategyTally } from './stats.ts'

/** The statistics that a store keeps, by name: `prunes.hash`, `saved.purgeErrors`, `requests`. */
export type Totals = Readonly<Record<string, number>>

/** The name under which a decision is counted: its kind, or the key of its strategy. */
export function statisticName({ reason, strategy }: Decision): string {
  return isSupersedeKind(reason) ? reason : strategy
}

/** The names under which earlier versions counted the kinds. */
const earlierNames: Readonly<Record<string, SupersedeKind>> = {
  deduplication: 'hash',
  files: 'file',
  supersedeWrites: 'file',
  todoSupersede: 'todo',
  pruneSourceUrls: 'url',
  searchSupersede: 'search',
  stateQuerySupersede: 'query',
  pruneSnapshots: 'snapshot',
  pruneRetryParts: 'retry',
  contextSupersede: 'context',
}

/** The kept statistics in the form of the statistics of one session. All of them were applied. */
export function totalStats(totals: Totals): StrategyStats {
  const tallies = new Map<string, StrategyTally>()
  for (const [key, count] of Object.entries(totals)) {
    if (!key.startsWith('prunes.')) continue
    const stored = key.slice('prunes.'.length)
    const name = earlierNames[stored] ?? stored
    const known = tallies.get(name) ?? { count: 0, tokens: 0, applied: 0 }
    const tokens = known.tokens + (totals[`saved.${stored}`] ?? 0)
    tallies.set(name, { count: known.count + count, tokens, applied: known.applied + count })
  }
  const none: StrategyTally = { count: 0, tokens: 0, applied: 0 }
  const others = [...tallies].filter(([name]) => !isSupersedeKind(name))
  return {
    ...Object.fromEntries(others),
    autoSupersede: perKind((kind) => tallies.get(kind) ?? none),
  }
}
