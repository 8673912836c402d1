import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { queriesFor, runNow, type Statement, type Steps } from '../sql/steps.ts'
import { loadSqlite, type SqliteDatabase, type SqliteValue } from './driver.ts'
import { explainSqliteError } from './explain.ts'

const busyTimeoutMs = 5000

/**
 * Opens a store that is there, and writes nothing: neither to the file nor beside it, so that it also works where nothing
 * may be written, in the sandbox of an agent for example.
 */
export async function openSqliteReadOnly<Tables>(path: string): Promise<SqlEngine<Tables>> {
  const open = await loadSqlite()
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
    throw new PalimpsestError('store-read-only', `the store ${path} was opened for reading alone`)
  }
  return {
    name: 'sqlite',
    schema: null,
    db: queriesFor<Tables>('sqlite'),
    async read<Result>(work: () => Steps<Result>): Promise<Result> {
      database.prepare('begin').all()
      try {
        return runNow(work(), execute)
      } finally {
        database.prepare('rollback').all()
      }
    },
    write: async () => refuse(),
    *lock() {},
    *hasTable(name) {
      const text = "select 1 from sqlite_master where type = 'table' and name = ?"
      return (yield { sql: text, parameters: [name] }).length > 0
    },
    bytes: async () => refuse(),
    reclaim: async () => refuse(),
    problems: async () => [],
    explain,
    close: async () => database.close(),
  }
}

type Open = Awaited<ReturnType<typeof loadSqlite>>

function openQuietly(open: Open, path: string): SqliteDatabase {
  try {
    return readable(open(path, { readOnly: true }))
  } catch (error) {
    // SQLite wants files beside a database with a log, which nobody has made where the store is not in use.
    if (existsSync(`${path}-wal`) || !existsSync(path)) throw error
    return readable(open(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true }))
  }
}

/** SQLite opens the file only when it is asked something. */
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
