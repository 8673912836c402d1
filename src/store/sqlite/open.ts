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
  sqliteBasics,
} from './connection.ts'
import type { SqliteDatabase } from './driver.ts'
import { explainSqliteError } from './explain.ts'

/** SQLite blocks this process while it waits for a lock, so each attempt is short and is retried after a pause. */
const attemptTimeoutMs = 5
const retryMs = 10

/** Opens or creates the store's file. Transactions run synchronously unless another process holds the lock. */
export async function openSqlite<Tables>(path: string): Promise<SqlEngine<Tables>> {
  const explain = (error: unknown): PalimpsestError | null => explainSqliteError(error, path)
  const { database, begin, finish, forgetStatements } = connectSqlite(path)
  // Without WAL, readers block a commit too, so every statement must wait for itself.
  const retries = isWal(database)
  if (retries) database.exec(`pragma busy_timeout = ${attemptTimeoutMs}`)

  /** False when another process holds the lock. */
  function tryToBegin(how: Begin): boolean {
    try {
      begin(how)
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
    begin(how)
  }

  async function transaction<Result>(how: Begin, work: () => Steps<Result>): Promise<Result> {
    if (!tryToBegin(how)) await waitToBegin(how)
    return finish(work)
  }

  const number = (pragma: string): number => {
    const [row] = database.prepare(`pragma ${pragma}`).all()
    return Number(Object.values(row as Record<string, unknown>)[0])
  }
  return {
    ...sqliteBasics<Tables>(),
    write: (work) => transaction('begin immediate', work),
    read: (work) => transaction('begin', work),
    bytes: async () => (number('page_count') - number('freelist_count')) * number('page_size'),
    async reclaim() {
      database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
      try {
        reclaimSpace(database)
      } finally {
        if (retries) database.exec(`pragma busy_timeout = ${attemptTimeoutMs}`)
      }
    },
    problems: async () => problemsOf(database, path),
    explain,
    async close() {
      forgetStatements()
      moveLogToFile(database)
      database.close()
    },
  }
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
