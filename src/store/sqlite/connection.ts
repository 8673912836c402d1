import { existsSync, rmSync, statSync } from 'node:fs'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { queriesFor, runNow, type Statement, type Steps } from '../sql/steps.ts'
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
export const busyTimeoutMs = 5000
const mostStatements = 200

/** Older versions can lose a commit when two connections checkpoint and reset the log at once: https://sqlite.org/wal.html */
const firstSafeWal = [3, 51, 3] as const

/** `begin immediate` locks at once, because a transaction that starts by reading cannot wait for the lock later. */
export type Begin = 'begin' | 'begin immediate'

/** An open database with its prepared statements. */
export interface SqliteConnection {
  readonly database: SqliteDatabase
  begin(begin: Begin): void
  /** Runs the work in the transaction that `begin` started, and commits it, or rolls it back on an error. */
  finish<Result>(work: () => Steps<Result>): Result
  /** Whether the file was deleted, moved or replaced since it was opened. What is written then is lost. */
  isLost(): boolean
  /** Drops the prepared statements and closes the database. */
  close(): void
}

/** Opens or creates the file, private to this user, and configures the connection. */
export function connectSqlite(path: string): SqliteConnection {
  const database = openDatabase(path)
  const opened = fileIdentity(path)
  const statements = new Map<string, SqliteStatement>()
  function prepared(sql: string): SqliteStatement {
    const known = statements.get(sql)
    if (known !== undefined) return known
    if (statements.size >= mostStatements) statements.clear()
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const execute = ({ sql, parameters }: Statement): readonly unknown[] =>
    prepared(sql).all(...(parameters as readonly SqliteValue[]))
  return {
    database,
    begin: (begin) => void prepared(begin).all(),
    finish(work) {
      try {
        const result = runNow(work(), execute)
        prepared('commit').all()
        return result
      } catch (error) {
        rollBack(database)
        throw error
      }
    },
    isLost: () => fileIdentity(path) !== opened,
    close() {
      statements.clear()
      database.close()
    },
  }
}

/** null for a file that does not exist, and for a store in memory. */
function fileIdentity(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

/** Removes the side files of a store that was deleted. SQLite would take them for those of a new one. */
export function removeOrphans(path: string): void {
  if (existsSync(path)) return
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

/** The members that all SQLite engines share. */
export function sqliteBasics<Tables>(): Pick<
  SqlEngine<Tables>,
  'name' | 'schema' | 'db' | 'lock' | 'hasTable'
> {
  return {
    name: 'sqlite',
    schema: null,
    db: queriesFor<Tables>('sqlite'),
    // A writing transaction is exclusive in SQLite.
    *lock() {},
    *hasTable(name) {
      const sql = "select 1 from sqlite_master where type = 'table' and name = ?"
      return (yield { sql, parameters: [name] }).length > 0
    },
  }
}

/** Returns free pages and empties the write-ahead log, so that no copy of deleted text stays. */
export function reclaimSpace(database: SqliteDatabase): void {
  database.prepare('pragma incremental_vacuum').all()
  database.prepare('pragma wal_checkpoint(truncate)').all()
}

function openDatabase(path: string): SqliteDatabase {
  const open = loadSqlite()
  const isFile = path !== ':memory:'
  if (isFile) makePrivateFile(path)
  let database: SqliteDatabase | undefined
  try {
    database = open(path)
    refuseForeign(database, path)
    if (isFile) closeToOthers(path)
    configureSqlite(database)
    return database
  } catch (error) {
    database?.close()
    throw explainSqliteError(error, path) ?? error
  }
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.prepare('rollback').all()
  } catch {
    // SQLite rolls back by itself when the disk is full; the caller reports the first error.
  }
}

/** Sets the options of a connection to a store. */
export function configureSqlite(database: SqliteDatabase): void {
  database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  // Lets gc return free pages without rewriting the file. It only works in a new file.
  const [size] = database.prepare('pragma page_count').all()
  if ((size as { page_count?: unknown }).page_count === 0)
    database.exec('pragma auto_vacuum = incremental')
  const [row] = database.prepare('select sqlite_version() as version').all()
  const version = String((row as { version?: unknown } | undefined)?.version)
  if (hasSafeWal(version)) {
    database.prepare('pragma journal_mode = wal').all()
    // Commits survive a killed process. A power cut may lose the last ones but damages nothing.
    database.exec('pragma synchronous = normal')
  } else {
    database.prepare('pragma journal_mode = truncate').all()
    database.exec('pragma synchronous = full')
  }
  database.exec('pragma foreign_keys = on')
  // Overwrites deleted content.
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
