import type { ModelOverride } from '../core/schedule/models/model-facts.ts'
import { priceReceipts } from '../report/priced-receipts.ts'
import type { StoredReceipt } from '../report/request-receipt.ts'
import { agentName } from './agent-name.ts'
import { createTotals, type TotalsCounter } from './receipt-totals.ts'
import { isRecorded } from './session-source.ts'
import type { Group, Overview, Range } from './types.ts'

/** The receipts of one session, in order. */
export interface SessionReceipts {
  readonly id: string
  readonly origin: string
  readonly folder: string | null
  readonly receipts: readonly StoredReceipt[]
}

export interface OverviewOptions {
  /** Milliseconds since 1970; null for everything. */
  readonly from: number | null
  readonly to: number
  readonly models?: readonly ModelOverride[] | undefined
}

type Savings = Omit<Overview, 'range'>

const dayMs = 86_400_000

/**
 * What requests cost and saved, by day, project, agent and model. Only receipts of real requests count: a recording that
 * was loaded has saved nothing.
 */
export function savingsOf(
  sessions: readonly SessionReceipts[],
  { from, to, models }: OverviewOptions,
): Savings {
  const all = createTotals(models)
  const groups = {
    days: createGroups(models),
    projects: createGroups(models),
    agents: createGroups(models),
    models: createGroups(models),
  }
  const restoredBy: Record<string, number> = {}
  const bypassedBy: Record<string, number> = {}
  for (const { id, origin, folder, receipts } of sessions.filter((each) => !isRecorded(each))) {
    for (const priced of priceReceipts(receipts, models)) {
      const { at, model, agent, restored, bypass } = priced.receipt
      if (at === null || (from !== null && at < from) || at > to) continue
      const names = {
        days: dayOf(at),
        projects: folder ?? 'unknown',
        agents: agentName(agent, origin),
        models: model ?? 'unknown',
      }
      all.add(priced, id)
      for (const by of Object.keys(groups) as (keyof typeof groups)[])
        groups[by].of(names[by]).add(priced, id)
      for (const [how, count] of Object.entries(restored))
        restoredBy[how] = (restoredBy[how] ?? 0) + count
      if (bypass !== null) bypassedBy[bypass] = (bypassedBy[bypass] ?? 0) + 1
    }
  }
  return {
    from,
    to,
    totals: all.totals(),
    days: withoutGaps(groups.days, { from, to }),
    projects: groups.projects.largestFirst(),
    agents: groups.agents.largestFirst(),
    models: groups.models.largestFirst(),
    restoredBy,
    bypassedBy,
  }
}

export function overviewOf(
  sessions: readonly SessionReceipts[],
  range: Range,
  options: Pick<OverviewOptions, 'to' | 'models'>,
): Overview {
  const days = { week: 7, month: 30, all: null }[range]
  const from = days === null ? null : startOfDays(options.to, days)
  return { range, ...savingsOf(sessions, { from, ...options }) }
}

interface Groups {
  readonly names: readonly string[]
  of(name: string): TotalsCounter
  largestFirst(): readonly Group[]
}

function createGroups(models: readonly ModelOverride[] | undefined): Groups {
  const counters = new Map<string, TotalsCounter>()
  return {
    get names() {
      return [...counters.keys()]
    },
    of(name) {
      const known = counters.get(name) ?? createTotals(models)
      counters.set(name, known)
      return known
    },
    largestFirst: () =>
      [...counters]
        .map(([name, counter]) => ({ name, ...counter.totals() }))
        .sort((one, other) => savedTokens(other) - savedTokens(one)),
  }
}

function savedTokens({ tokens }: Group): number {
  return tokens.without - tokens.with
}

/** Days begin at midnight in this machine's time zone. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const part = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`
}

/** Midnight before the last days, today included. */
export function startOfDays(to: number, days: number): number {
  // Counts from noon, so a change of the clock skips no day.
  return startOfDay(startOfDay(to) + dayMs / 2 - (days - 1) * dayMs)
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

function withoutGaps(
  days: Groups,
  { from, to }: { readonly from: number | null; readonly to: number },
): readonly Group[] {
  const [first] = [...days.names].sort()
  const start = from ?? (first === undefined ? to : Date.parse(`${first}T12:00:00`))
  const list: Group[] = []
  const last = dayOf(to)
  // Noon, so a change of the clock skips no day.
  for (let at = startOfDay(start) + dayMs / 2; ; at += dayMs) {
    const name = dayOf(at)
    if (name > last) return list
    list.push({ name, ...days.of(name).totals() })
  }
}
