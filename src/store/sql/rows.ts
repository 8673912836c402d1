import type { Selectable } from 'kysely'
import type { Extent, StoredSession } from '../store.ts'
import type { SessionsTable } from '../tables.ts'

/** SQLite allows 32,766 parameters per statement, PostgreSQL 65,535. */
const rowsPerStatement = 400

/** Splits rows into chunks that a statement can take. */
export function* chunksOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    yield rows.slice(from, from + rowsPerStatement)
  }
}

export function sessionFrom(row: Selectable<SessionsTable>): StoredSession {
  const { number, id, parent, origin, folder, credential } = row
  const [createdAt, usedAt] = [row.created_at, row.used_at]
  return { number, id, parent, origin, folder, credential, createdAt, usedAt }
}

export function extentFrom(row: Pick<Selectable<SessionsTable>, keyof Extent>): Extent {
  const { messages, ledger, entries } = row
  return { messages, ledger, entries }
}
