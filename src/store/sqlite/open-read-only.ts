import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { runNow, type Statement, type Steps } from '../sql/steps.ts'
import { sqliteBasics } from './connection.ts'
import { loadSqlite, type SqliteDatabase, type SqliteValue } from './driver.ts'
import { explainSqliteError } from './explain.ts'
import { refuseForeign } from './foreign-file.ts'

/** Opens an existing store and writes nothing, not even side files, so that it works in a read-only sandbox. */
export async function openSqliteReadOnly<Tables>(path: string): Promise<SqlEngine<Tables>> {
  const open = loadSqlite()
  const explain = (error: unknown): PalimpsestError | null => explainSqliteError(error, path)
  let database: SqliteDatabase
  try {
    database = openQuietly(open, path)
  } catch (error) {
    throw explain(error) ?? error
  }
  const execute = ({ sql: text, parameters }: Statement): readonly unknown[] =>
    database.prepare(text).all(...(parameters as readonly SqliteValue[]))
  const refuse = (): never => {
    throw new PalimpsestError('store-read-only', `the store ${path} is open for reading only`)
  }
  return {
    ...sqliteBasics<Tables>(),
    async read<Result>(work: () => Steps<Result>): Promise<Result> {
      database.prepare('begin').all()
      try {
        return runNow(work(), execute)
      } finally {
        database.prepare('rollback').all()
      }
    },
    write: async () => refuse(),
    bytes: async () => refuse(),
    reclaim: async () => refuse(),
    problems: async () => [],
    explain,
    close: async () => database.close(),
  }
}

type Open = ReturnType<typeof loadSqlite>

/**
 * A log or journal beside the file means that a process uses the store, or was killed: then SQLite reads the log through the
 * shared index, which it must not change either. Without them the file is complete, and SQLite needs no other.
 */
function openQuietly(open: Open, path: string): SqliteDatabase {
  const isInUse = existsSync(`${path}-wal`) || existsSync(`${path}-journal`)
  const how = isInUse ? 'readonly_shm=1' : 'immutable=1'
  try {
    return readable(open(`${pathToFileURL(path).href}?${how}`, { readOnly: true }), path)
  } catch (error) {
    if (PalimpsestError.is(error)) throw error
    // A log whose index is gone, or a driver without URLs.
    return readable(open(path, { readOnly: true }), path)
  }
}

/** SQLite opens the file with the first statement. */
function readable(database: SqliteDatabase, path: string): SqliteDatabase {
  try {
    refuseForeign(database, path)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
