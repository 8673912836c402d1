import { setTimeout } from 'node:timers/promises'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { queriesFor, runNow, type Statement, type Steps } from '../sql/steps.ts'
import type { StoreProblem } from '../store.ts'
import {
  loadSqlite,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
} from './driver.ts'
import { explainSqliteError } from './explain.ts'
import { refuseForeign } from './foreign-file.ts'
import { closeToOthers, makePrivateFile } from './private-file.ts'

/** How long a statement waits for another process before it gives up. */
const busyTimeoutMs = 5000
/**
 * A transaction waits as long, but while SQLite waits, nothing else is done in this process: it waits for so long only, and
 * is begun again and again in between.
 */
const beginTimeoutMs = 5
const beginAgainMs = 10

/** Older ones can lose a commit when two connections checkpoint and reset the log at once: https://sqlite.org/wal.html */
const firstSafeWal = [3, 51, 3] as const

/**
 * Opens or makes the file, private to this user. A transaction is over when its promise is returned, unless another
 * process writes: nothing waits but for the statements themselves, and for that.
 */
export async function openSqlite<Tables>(path: string): Promise<SqlEngine<Tables>> {
  const open = await loadSqlite()
  makePrivateFile(path)
  const explain = (error: unknown): PalimpsestError | null => explainSqliteError(error, path)
  let database: SqliteDatabase
  try {
    database = open(path)
  } catch (error) {
    throw explain(error) ?? error
  }
  try {
    refuseForeign(database, path)
    closeToOthers(path)
    configureSqlite(database)
  } catch (error) {
    database.close()
    throw explain(error) ?? error
  }
  const statements = createStatements(database)
  const execute = ({ sql: text, parameters }: Statement): readonly unknown[] =>
    statements.prepared(text).all(...(parameters as readonly SqliteValue[]))

  /** Where readers hold up a commit, every statement has to wait by itself. */
  const beginsAgain = isWal(database)
  if (beginsAgain) database.exec(`pragma busy_timeout = ${beginTimeoutMs}`)

  /** False when another process is at it. */
  function hasBegun(begin: string): boolean {
    try {
      statements.prepared(begin).all()
      return true
    } catch (error) {
      if (beginsAgain && explain(error)?.code === 'store-locked') return false
      throw error
    }
  }

  async function waitToBegin(begin: string): Promise<void> {
    const until = performance.now() + busyTimeoutMs
    while (performance.now() < until) {
      await setTimeout(beginAgainMs)
      if (hasBegun(begin)) return
    }
    statements.prepared(begin).all()
  }

  async function transaction<Result>(begin: string, work: () => Steps<Result>): Promise<Result> {
    if (!hasBegun(begin)) await waitToBegin(begin)
    try {
      const result = runNow(work(), execute)
      statements.prepared('commit').all()
      return result
    } catch (error) {
      rollBack(database)
      throw error
    }
  }

  const number = (pragma: string): number => {
    const [row] = database.prepare(`pragma ${pragma}`).all()
    return Number(Object.values(row as Record<string, unknown>)[0])
  }
  return {
    name: 'sqlite',
    schema: null,
    db: queriesFor<Tables>('sqlite'),
    // The lock is taken at once: a transaction that starts by reading cannot wait for it later.
    write: (work) => transaction('begin immediate', work),
    read: (work) => transaction('begin', work),
    // Whoever writes is alone already.
    *lock() {},
    *hasTable(name) {
      const text = "select 1 from sqlite_master where type = 'table' and name = ?"
      return (yield { sql: text, parameters: [name] }).length > 0
    },
    bytes: async () => (number('page_count') - number('freelist_count')) * number('page_size'),
    async reclaim() {
      database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
      try {
        database.prepare('pragma incremental_vacuum').all()
        database.prepare('pragma wal_checkpoint(truncate)').all()
      } finally {
        if (beginsAgain) database.exec(`pragma busy_timeout = ${beginTimeoutMs}`)
      }
    },
    problems: async () => problemsOf(database, path),
    explain,
    async close() {
      statements.forget()
      moveLogToFile(database)
      database.close()
    },
  }
}

const mostStatements = 200

/** Keeps statements prepared. */
function createStatements(database: SqliteDatabase): {
  prepared(text: string): SqliteStatement
  forget(): void
} {
  const known = new Map<string, SqliteStatement>()
  return {
    prepared(text) {
      const found = known.get(text)
      if (found !== undefined) return found
      if (known.size >= mostStatements) known.clear()
      const made = database.prepare(text)
      known.set(text, made)
      return made
    },
    forget: () => known.clear(),
  }
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.prepare('rollback').all()
  } catch {
    // A full disk has SQLite roll back by itself; the error that led here is the one to report.
  }
}

/** Some drivers close a database for good only later, and would leave everything in the log until then. */
function moveLogToFile(database: SqliteDatabase): void {
  try {
    database.exec('pragma busy_timeout = 0')
    database.prepare('pragma wal_checkpoint(truncate)').all()
  } catch {
    // Others use it: the last of them does it.
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
      message: `a row refers to a row of ${parent} that is not there`,
    })),
  ]
}

function isWal(database: SqliteDatabase): boolean {
  const [row] = database.prepare('pragma journal_mode').all()
  return (row as { journal_mode?: unknown } | undefined)?.journal_mode === 'wal'
}

/** How every connection to a store is set up. */
export function configureSqlite(database: SqliteDatabase): void {
  database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  // Only takes hold in a new file, and writes to every other: gc can then give room back without rewriting everything.
  const [size] = database.prepare('pragma page_count').all()
  if ((size as { page_count?: unknown }).page_count === 0)
    database.exec('pragma auto_vacuum = incremental')
  const [row] = database.prepare('select sqlite_version() as version').all()
  const version = String((row as { version?: unknown } | undefined)?.version)
  if (hasSafeWal(version)) {
    database.prepare('pragma journal_mode = wal').all()
    // Survives a killed process; a power cut may take the last commits with it, and damages nothing.
    database.exec('pragma synchronous = normal')
  } else {
    database.prepare('pragma journal_mode = truncate').all()
    database.exec('pragma synchronous = full')
  }
  database.exec('pragma foreign_keys = on')
  // What is forgotten is overwritten.
  database.exec('pragma secure_delete = on')
  const [keys] = database.prepare('pragma foreign_keys').all()
  if ((keys as { foreign_keys?: unknown } | undefined)?.foreign_keys !== 1) {
    throw new PalimpsestError('store-driver', `SQLite ${version} was built without foreign keys`)
  }
}

export function hasSafeWal(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [place, needed] of firstSafeWal.entries()) {
    const part = parts[place] ?? 0
    if (part !== needed) return part > needed
  }
  return true
}
