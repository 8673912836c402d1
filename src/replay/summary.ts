import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import type { Regime } from '../core/schedule/regimes.ts'
import type { Recording } from '../recordings/recording.ts'
import type { Session } from '../session/session.ts'
import { type CacheCheck, checkCache, sumChecks } from './cache-check.ts'
import { createEpochReports, type EpochReport } from './epoch-reports.ts'
import { type Bank, type Comparison, priceSession } from './priced-session.ts'

/** What sessions sent and what that cost, with Palimpsest and without. */
export interface ReplaySummary {
  readonly requests: number
  /** Summed over all requests; system prompt and tool definitions are not in a recording, so not in here. */
  readonly tokens: Comparison
  readonly dollars: Comparison
  readonly epochs: number
  /** How many items each strategy decided in the end. */
  readonly decisions: Readonly<Record<string, number>>
}

/** The summary with epochs, savings over time and a check of the cache model. */
export interface ReplayReport {
  readonly summary: ReplaySummary
  readonly epochs: readonly EpochReport[]
  /** One for each session. */
  readonly banks: readonly Bank[]
  readonly recalled: { readonly items: number; readonly tokens: number }
  readonly cache: { readonly figures: CacheCheck; readonly rules: CacheCheck }
}

export interface SummaryOptions {
  readonly regime: Regime
  /** Called for each session; without it nothing is changed. */
  readonly sessionFor?: (recording: Recording) => Session
  /** The session that pruned a recording while it ran; undefined for one that ran without us. */
  readonly ranWith?: (recording: Recording) => Session | undefined
}

export interface ReportOptions extends SummaryOptions {
  readonly models?: readonly ModelOverride[] | undefined
}

export function summarise(
  recordings: readonly Recording[],
  options: SummaryOptions,
): ReplaySummary {
  return gather(recordings, options).summary
}

export function reportReplay(
  recordings: readonly Recording[],
  options: ReportOptions,
): ReplayReport {
  const check = (from: 'figures' | 'rules'): CacheCheck =>
    sumChecks(recordings.map((each) => checkCache(each, { models: options.models ?? [], from })))
  return {
    ...gather(recordings, options),
    cache: { figures: check('figures'), rules: check('rules') },
  }
}

function gather(
  recordings: readonly Recording[],
  { regime, sessionFor, ranWith }: SummaryOptions,
): Omit<ReplayReport, 'cache'> {
  let requests = 0
  const tokens = { with: 0, without: 0 }
  const dollars = { with: 0, without: 0 }
  const decisions: Record<string, number> = {}
  const epochs: EpochReport[] = []
  const banks: Bank[] = []
  const recalled = { items: 0, tokens: 0 }
  for (const recording of recordings) {
    const reports = createEpochReports(regime)
    const session = priceSession(recording, {
      regimes: [regime],
      session: sessionFor?.(recording),
      ranWith: ranWith?.(recording),
      onRequest: (request) => reports.after(request),
    })
    requests += session.requests
    for (const side of ['with', 'without'] as const) {
      tokens[side] += session.tokens[side]
      dollars[side] += session.prices[0]?.dollars[side] ?? 0
    }
    for (const { bank } of session.prices) banks.push(bank)
    for (const [strategy, count] of Object.entries(session.decisions))
      decisions[strategy] = (decisions[strategy] ?? 0) + count
    epochs.push(...reports.all)
    recalled.items += session.recalled.items
    recalled.tokens += session.recalled.tokens
  }
  const summary = { requests, tokens, dollars, epochs: epochs.length, decisions }
  return { summary, epochs, banks, recalled }
}
