import type { SessionSummary } from '../store/index.ts'
import type { DashboardParts } from './dashboard.ts'
import type { ReadSession } from './session-detail.ts'
import { sessionRow } from './session-row.ts'
import type { SessionSource } from './session-source.ts'
import type { StoredSessions } from './stored-sessions.ts'
import type { SessionRow } from './types.ts'

/** The rows of the sessions page, each computed once until its session changes. */
export interface SessionRows {
  row(summary: SessionSummary): Promise<SessionRow>
  /** The row of a session that was read. */
  rowOf(source: SessionSource, session?: ReadSession): SessionRow
  /** The last used sessions that have messages. */
  all(): Promise<readonly SessionRow[]>
}

const mostSessions = 500

export function createSessionRows(
  sessions: StoredSessions,
  { config, pauses }: Pick<DashboardParts, 'config' | 'pauses'>,
): SessionRows {
  const rowsByNumber = new Map<number, { readonly version: string; readonly row: SessionRow }>()

  function isPaused({ id, parent }: Pick<SessionSource, 'id' | 'parent'>): boolean {
    return pauses.isPaused(id, ...(parent === null ? [] : [parent]))
  }

  function rowOf(source: SessionSource, session?: ReadSession): SessionRow {
    const state = { models: config.models, isPaused: isPaused(source) }
    return sessionRow(source, state, session?.requests)
  }

  async function row(summary: SessionSummary): Promise<SessionRow> {
    const version = sessions.version(summary)
    const known = rowsByNumber.get(summary.number)
    if (known?.version === version) return { ...known.row, isPaused: isPaused(summary) }
    const made = rowOf(await sessions.sourceOf(summary))
    rowsByNumber.set(summary.number, { version, row: made })
    return made
  }

  return {
    row,
    rowOf,
    async all() {
      const found: SessionRow[] = []
      for (const summary of (await sessions.all()).slice(0, mostSessions))
        if (summary.messages > 0) found.push(await row(summary))
      return found
    },
  }
}
