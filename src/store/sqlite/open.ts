import { setTimeout } from 'node:timers/promises'
import type { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import type { Steps } from '../sql/steps.ts'
import type { StoreProblem } from '../store.ts'
import {
  type Begin,
  busyTimeoutMs,
  connectSqlite,
  reclaimSpace,
  removeOrphans,
  sqliteBasics,
} from './connection.ts'
import type { SqliteDatabase } from './driver.ts'
import { explainSqliteError } from './explain.ts'

/** SQLite blocks this process while it waits for a lock, so each attempt is short and is retried after a pause. */
const attemptTimeoutMs = 5
const retryMs = 10

/**
 * Opens or creates the store's file. Transactions run synchronously unless another process holds the lock. When the file was
 * deleted, moved or replaced, the one that is there now is opened or created, and `prepare` is called again.
 */
export async function openSqlite<Tables>(
  path: string,
  prepare: (engine: SqlEngine<Tables>) => Promise<void> = async () => {},
): Promise<SqlEngine<Tables>> {
  const explain = (error: unknown): PalimpsestError | null => explainSqliteError(error, path)
  let connection = connectSqlite(path)
  let retries = configure()
  let renewing: Promise<void> | null = null

  function configure(): boolean {
    const { database } = connection
    // Without WAL, readers block a commit too, so every statement must wait for itself.
    const isLogged = isWal(database)
    if (isLogged) database.exec(`pragma busy_timeout = ${attemptTimeoutMs}`)
    return isLogged
  }

  async function renew(): Promise<void> {
    // A file that was moved gets what is still in the log.
    moveLogToFile(connection.database)
    try {
      connection.close()
    } catch {
      // It was closed by an attempt before.
    }
    removeOrphans(path)
    connection = connectSqlite(path)
    retries = configure()
    await prepare(engine)
  }

  /** False when another process holds the lock. */
  function tryToBegin(how: Begin): boolean {
    try {
      connection.begin(how)
      return true
    } catch (error) {
      if (retries && explain(error)?.code === 'store-locked') return false
      throw error
    }
  }

  async function waitToBegin(how: Begin): Promise<void> {
    const until = performance.now() + busyTimeoutMs
    while (performance.now() < until) {
      await setTimeout(retryMs)
      if (tryToBegin(how)) return
    }
    connection.begin(how)
  }

  async function transaction<Result>(how: Begin, work: () => Steps<Result>): Promise<Result> {
    if (connection.isLost()) {
      renewing ??= renew().finally(() => {
        renewing = null
      })
      await renewing
    }
    if (!tryToBegin(how)) await waitToBegin(how)
    return connection.finish(work)
  }

  const number = (pragma: string): number => {
    const [row] = connection.database.prepare(`pragma ${pragma}`).all()
    return Number(Object.values(row as Record<string, unknown>)[0])
  }
  const engine: SqlEngine<Tables> = {
    ...sqliteBasics<Tables>(),
    write: (work) => transaction('begin immediate', work),
    read: (work) => transaction('begin', work),
    bytes: async () => (number('page_count') - number('freelist_count')) * number('page_size'),
    async reclaim() {
      const { database } = connection
      database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
      try {
        reclaimSpace(database)
      } finally {
        if (retries) database.exec(`pragma busy_timeout = ${attemptTimeoutMs}`)
      }
    },
    problems: async () => problemsOf(connection.database, path),
    explain,
    async close() {
      moveLogToFile(connection.database)
      connection.close()
    },
  }
  return engine
}

/** Some drivers close the file later, and would leave everything in the write-ahead log until then. */
function moveLogToFile(database: SqliteDatabase): void {
  try {
    database.exec('pragma busy_timeout = 0')
    database.prepare('pragma wal_checkpoint(truncate)').all()
  } catch {
    // Another connection is open; the last one to close does it.
  }
}

function problemsOf(database: SqliteDatabase, path: string): readonly StoreProblem[] {
  const broken = database.prepare('pragma integrity_check').all() as { integrity_check: string }[]
  const dangling = database.prepare('pragma foreign_key_check').all() as {
    table: string
    parent: string
  }[]
  return [
    ...broken
      .map((row) => row.integrity_check)
      .filter((message) => message !== 'ok')
      .map((message) => ({ where: path, message })),
    ...dangling.map(({ table, parent }) => ({
      where: table,
      message: `a row refers to a row of ${parent} that does not exist`,
    })),
  ]
}

function isWal(database: SqliteDatabase): boolean {
  const [row] = database.prepare('pragma journal_mode').all()
  return (row as { journal_mode?: unknown } | undefined)?.journal_mode === 'wal'
}
