import type { SqlEngine } from '../sql/engine.ts'
import { queriesFor, runNow, type Statement, type Steps } from '../sql/steps.ts'
import type { SqliteValue } from './driver.ts'
import { explainSqliteError } from './explain.ts'
import { createStatements, openDatabase, rollBack } from './open.ts'

/** How long a transaction waits for another process. Nothing else runs in this process meanwhile. */
const busyTimeoutMs = 15_000
const checkpointPages = 1000

/** The SQLite engine for callers that cannot wait for a promise. Errors are explained already. */
export interface SqliteEngineNow<Tables>
  extends Pick<SqlEngine<Tables>, 'name' | 'schema' | 'db' | 'lock' | 'hasTable'> {
  read<Result>(work: () => Steps<Result>): Result
  write<Result>(work: () => Steps<Result>): Result
  /** Empties the write-ahead log and gives free pages back, so that no copy of deleted text stays. */
  reclaim(): void
  close(): void
}

export function openSqliteNow<Tables>(path: string): SqliteEngineNow<Tables> {
  const database = openDatabase(path)
  database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  database.prepare(`pragma wal_autocheckpoint = ${checkpointPages}`).all()
  const statements = createStatements(database)
  const execute = ({ sql, parameters }: Statement): readonly unknown[] =>
    statements.prepared(sql).all(...(parameters as readonly SqliteValue[]))

  function explained<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw explainSqliteError(error, path) ?? error
    }
  }

  function transaction<Result>(begin: string, work: () => Steps<Result>): Result {
    return explained(() => {
      statements.prepared(begin).all()
      try {
        const result = runNow(work(), execute)
        statements.prepared('commit').all()
        return result
      } catch (error) {
        rollBack(database)
        throw error
      }
    })
  }

  return {
    name: 'sqlite',
    schema: null,
    db: queriesFor<Tables>('sqlite'),
    read: (work) => transaction('begin', work),
    // Takes the lock at the beginning, because a transaction that starts by reading cannot wait for it later.
    write: (work) => transaction('begin immediate', work),
    // A writing transaction is exclusive in SQLite.
    *lock() {},
    *hasTable(name) {
      const sql = "select 1 from sqlite_master where type = 'table' and name = ?"
      return (yield { sql, parameters: [name] }).length > 0
    },
    reclaim: () =>
      explained(() => {
        database.prepare('pragma incremental_vacuum').all()
        database.prepare('pragma wal_checkpoint(truncate)').all()
      }),
    close() {
      statements.forget()
      database.close()
    },
  }
}
