import { setTimeout } from 'node:timers/promises'
import type { SqlEngine } from '../sql/engine.ts'
import type { Steps } from '../sql/steps.ts'
import type { StoreProblem } from '../store.ts'
import {
  type Begin,
  busyTimeoutMs,
  connectSqlite,
  reclaimSpace,
  removeOrphans,
  type SqliteConnection,
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
  let file = openFile(path)
  let renewing: Promise<void> | null = null

  async function renew(): Promise<void> {
    // A file that was moved gets what is still in the log.
    moveLogToFile(file.connection.database)
    try {
      file.connection.close()
    } catch {
      // It was closed by an attempt before.
    }
    removeOrphans(path)
    file = openFile(path)
    await prepare(engine)
  }

  async function transaction<Result>(how: Begin, work: () => Steps<Result>): Promise<Result> {
    if (file.connection.isLost()) {
      renewing ??= renew().finally(() => {
        renewing = null
      })
      await renewing
    }
    if (!tryToBegin(file, how)) await waitToBegin(file, how)
    return file.connection.finish(work)
  }

  const engine: SqlEngine<Tables> = {
    ...sqliteBasics<Tables>(),
    write: (work) => transaction('begin immediate', work),
    read: (work) => transaction('begin', work),
    bytes: async () => usedBytes(file.connection.database),
    async reclaim() {
      const { connection, retries } = file
      connection.database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
      try {
        reclaimSpace(connection.database)
      } finally {
        if (retries) connection.database.exec(`pragma busy_timeout = ${attemptTimeoutMs}`)
      }
    },
    problems: async () => problemsOf(file.connection.database, path),
    explain: (error) => explainSqliteError(error, path),
    async close() {
      moveLogToFile(file.connection.database)
      file.connection.close()
    },
  }
  return engine
}

interface OpenFile {
  readonly path: string
  readonly connection: SqliteConnection
  /** Whether statements fail at a lock after a short attempt, so that they are retried. */
  readonly retries: boolean
}

function openFile(path: string): OpenFile {
  const connection = connectSqlite(path)
  // Without WAL, readers block a commit too, so every statement must wait for itself.
  const retries = isWal(connection.database)
  if (retries) connection.database.exec(`pragma busy_timeout = ${attemptTimeoutMs}`)
  return { path, connection, retries }
}

/** False when another process holds the lock. */
function tryToBegin({ path, connection, retries }: OpenFile, how: Begin): boolean {
  try {
    connection.begin(how)
    return true
  } catch (error) {
    if (retries && explainSqliteError(error, path)?.code === 'store-locked') return false
    throw error
  }
}

async function waitToBegin(file: OpenFile, how: Begin): Promise<void> {
  const until = performance.now() + busyTimeoutMs
  while (performance.now() < until) {
    await setTimeout(retryMs)
    if (tryToBegin(file, how)) return
  }
  file.connection.begin(how)
}

function usedBytes(database: SqliteDatabase): number {
  const number = (pragma: string): number => {
    const [row] = database.prepare(`pragma ${pragma}`).all()
    return Number(Object.values(row as Record<string, unknown>)[0])
  }
  return (number('page_count') - number('freelist_count')) * number('page_size')
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
