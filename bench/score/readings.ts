import type { Config } from '../../src/config/config.ts'
import {
  type LimitReading,
  limitReadings,
  type OtherReading,
  otherReadings,
} from '../baselines/differences.ts'
import { baselines, presetBaselines } from '../baselines/index.ts'
import { compareWithPage } from './beside.ts'
import { createLimitSums } from './limit-sums.ts'
import { limitTable } from './limit-table.ts'
import { applyPolicy } from './policy.ts'
import { poolScores, type ScoredPair } from './pool.ts'
import { scoreSession } from './score.ts'
import type { TracedSession } from './session.ts'
import { type BenchSession, benchSession, engineTrace } from './sources.ts'
import { recallTable, scoreTable, type Table } from './tables.ts'

/** Measures other interpretations of a source, to see whether they explain a difference. */
export function createReadings(): {
  add(session: BenchSession): void
  /** Compares with the tables of another measurement. */
  table(page: string): Table
} {
  const pairs = new Map<OtherReading, ScoredPair[]>(otherReadings.map((each) => [each, []]))
  const limits = limitReadings.map((reading) => ({ reading, sums: createLimitSums(reading) }))
  return {
    add(session) {
      const undone = withoutClearings(session)
      for (const reading of otherReadings) {
        const on = reading.clearingsUndone ? undone : session
        const { unpruned, needs } = on
        const none = scoreSession(unpruned, unpruned, needs)
        const traced = { ...traceOf(reading, on), policy: reading.policy }
        pairs.get(reading)?.push({ none, score: scoreSession(unpruned, traced, needs) })
      }
      const none = scoreSession(undone.unpruned, undone.unpruned, undone.needs)
      for (const { sums } of limits) sums.add(undone, none)
    },
    table(page) {
      const rows = [...pairs].map(([{ policy, reading }, scored]) => {
        const score = poolScores(scored)
        return [
          policy,
          reading,
          score.tokens.pooled.toFixed(2),
          score.dollars['anthropic-5m'].pooled.toFixed(2),
          score.bustsPerSession.toFixed(2),
          (score.E1.current * 100).toFixed(1),
          stillDiffers([scoreTable([score]), recallTable([score])], policy, page),
        ]
      })
      const limitRows = limits.map(({ reading, sums }) =>
        limitRow(reading, limitTable(sums.sums), page),
      )
      return [
        [
          ...['policy', 'read otherwise', 'tokens pooled', '$ anthropic-5m', 'busts/session'],
          ...['E1 current %', 'still differs (ours, theirs)'],
        ],
        ...rows,
        ...limitRows,
      ]
    },
  }
}

function limitRow({ limit, reading }: LimitReading, table: Table, page: string): readonly string[] {
  const [heading = []] = table
  const row = table.find(([name]) => name === limit) ?? []
  const cell = (column: string): string => row[heading.indexOf(column)] ?? '-'
  const figures = [cell('tokens pooled'), cell('$ anthropic-5m'), '-', '-']
  return [limit, reading, ...figures, stillDiffers([table], limit, page)]
}

function stillDiffers(tables: readonly Table[], name: string, page: string): string {
  const found = compareWithPage(tables, page).find(({ row }) => row === name)
  return found === undefined ? '-' : found.figures.join('; ') || 'none'
}

function traceOf({ policy, carriedOut, config }: OtherReading, on: BenchSession): TracedSession {
  if (config !== undefined) {
    const base = presetBaselines.find(({ name }) => name === policy)?.config
    return engineTrace(on, { ...base, ...config } as Config, policy)
  }
  const chosen = carriedOut ?? baselines.find(({ name }) => name === policy)
  if (chosen === undefined) throw new Error(`nobody is called ${policy}`)
  return applyPolicy(on.unpruned, chosen)
}

/** The session as if its agent had cleared no results by itself. */
function withoutClearings(session: BenchSession): BenchSession {
  const { recording } = session
  const events = recording.events.filter(({ kind }) => kind !== 'cleared')
  if (events.length === recording.events.length) return session
  return benchSession({ ...session, recording: { ...recording, events } })
}
