import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { runNow, type Statement, type Steps } from '../sql/steps.ts'
import { busyTimeoutMs, sqliteBasics } from './connection.ts'
import { loadSqlite, type SqliteDatabase, type SqliteValue } from './driver.ts'
import { explainSqliteError } from './explain.ts'

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

function openQuietly(open: Open, path: string): SqliteDatabase {
  try {
    return readable(open(path, { readOnly: true }))
  } catch (error) {
    // SQLite needs the side files of a WAL database, which do not exist while the store is not in use.
    if (existsSync(`${path}-wal`) || !existsSync(path)) throw error
    return readable(open(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true }))
  }
}

/** SQLite opens the file with the first statement. */
function readable(database: SqliteDatabase): SqliteDatabase {
  try {
    database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
    database.prepare('select 1 from sqlite_master limit 1').all()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
