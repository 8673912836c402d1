import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import type { Steps } from '../sql/steps.ts'
import { type Begin, connectSqlite, reclaimSpace, sqliteBasics } from './connection.ts'
import { explainSqliteError } from './explain.ts'

/**
 * How long a transaction waits for other processes. It blocks this process meanwhile. On a busy machine eight writers can keep one waiting for
 * more than 15 seconds, because SQLite wakes no waiter: each asks again every 100 ms.
 */
const blockingTimeoutMs = 60_000
const checkpointPages = 1000

/** The SQLite engine for callers that cannot await a promise. It only throws `PalimpsestError`s for SQLite's errors. */
export interface SqliteEngineNow<Tables>
  extends Pick<SqlEngine<Tables>, 'name' | 'schema' | 'db' | 'lock' | 'hasTable'> {
  read<Result>(work: () => Steps<Result>): Result
  write<Result>(work: () => Steps<Result>): Result
  /** Runs work whose transactions fail at once with `store-locked` when another process writes. */
  withoutWaiting<Result>(work: () => Result): Result
  /** Empties the write-ahead log and gives free pages back, so that no copy of deleted text stays. */
  reclaim(): void
  close(): void
}

export function openSqliteNow<Tables>(path: string): SqliteEngineNow<Tables> {
  const { database, begin, finish, isLost, close } = connectSqlite(path)
  database.exec(`pragma busy_timeout = ${blockingTimeoutMs}`)
  database.prepare(`pragma wal_autocheckpoint = ${checkpointPages}`).all()

  function explained<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw explainSqliteError(error, path) ?? error
    }
  }

  function transaction<Result>(how: Begin, work: () => Steps<Result>): Result {
    return explained(() => {
      // The memory log opens a new connection for the next call.
      if (isLost())
        throw new PalimpsestError(
          'store-unreachable',
          `the store ${path}: the file was deleted, moved or replaced; try again`,
        )
      begin(how)
      return finish(work)
    })
  }

  return {
    ...sqliteBasics<Tables>(),
    read: (work) => transaction('begin', work),
    write: (work) => transaction('begin immediate', work),
    withoutWaiting(work) {
      database.exec('pragma busy_timeout = 0')
      try {
        return work()
      } finally {
        database.exec(`pragma busy_timeout = ${blockingTimeoutMs}`)
      }
    },
    reclaim: () => explained(() => reclaimSpace(database)),
    close,
  }
}
