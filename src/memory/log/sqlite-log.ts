import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqliteDatabase, SqliteStatement } from '../../store/sqlite/driver.ts'
import { explainSqliteError } from '../../store/sqlite/explain.ts'
import { refuseForeign } from '../../store/sqlite/foreign-file.ts'
import { hasSafeWal } from '../../store/sqlite/open.ts'
import { closeToOthers, makePrivateFile } from '../../store/sqlite/private-file.ts'
import type { LoggedEvent, MemoryEvent } from '../state/event.ts'
import type { LogPosition, LogRead, MemoryLog } from './memory-log.ts'
import { sqliteNow } from './sqlite-driver.ts'
import { parseEvent } from './stored-event.ts'

const schemaVersion = 1
const busyTimeoutMs = 15_000

/** The log as tables of its own in a SQLite file, which sessions may share. Made when it is not there. */
export function openSqliteLog(path: string): MemoryLog {
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      throw explainSqliteError(error, path) ?? error
    }
  }
  if (path !== ':memory:') makePrivateFile(path)
  const database = guarded(() => sqliteNow(path))
  try {
    guarded(() => {
      refuseForeign(database, path)
      if (path !== ':memory:') closeToOthers(path)
      configure(database)
      createTables(database)
    })
  } catch (error) {
    database.close()
    throw error
  }
  const statements = new Map<string, SqliteStatement>()
  const run = (sql: string, ...parameters: readonly (string | number)[]): readonly unknown[] => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...parameters)
  }
  const transaction = <Result>(begin: 'begin' | 'begin immediate', work: () => Result): Result =>
    guarded(() => {
      run(begin)
      try {
        const result = work()
        run('commit')
        return result
      } catch (error) {
        rollBack(run)
        throw error
      }
    })
  const insert = (event: MemoryEvent): void => {
    run('insert into memory_events (body) values (?)', JSON.stringify(event))
  }
  const readNow = (known: LogPosition): LogRead => {
    const [state] = run('select generation from memory_log where only = 1')
    const generation = Number((state as { generation: unknown }).generation)
    const after = generation === known.generation ? known.sequence : 0
    const events = run(
      'select sequence, body from memory_events where sequence > ? order by sequence',
      after,
    ).map(readRow)
    return { generation, sequence: events.at(-1)?.sequence ?? after, events }
  }
  return {
    read: (known) => transaction('begin', () => readNow(known)),
    append: (known, decide) =>
      transaction('begin immediate', () => {
        const news = readNow(known)
        const events = decide(news)
        for (const event of events) insert(event)
        return events.length === 0 ? news : readNow(known)
      }),
    rewrite(edit, append) {
      const position = transaction('begin immediate', () => {
        for (const { sequence, event } of readNow({ sequence: 0, generation: -1 }).events) {
          const edited = edit(event)
          if (edited === event) continue
          if (edited === null) run('delete from memory_events where sequence = ?', sequence)
          else
            run(
              'update memory_events set body = ? where sequence = ?',
              JSON.stringify(edited),
              sequence,
            )
        }
        for (const event of append) insert(event)
        run('update memory_log set generation = generation + 1')
        const { sequence, generation } = readNow({ sequence: 0, generation: -1 })
        return { sequence, generation }
      })
      guarded(() => scrub(database))
      return position
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}

function configure(database: SqliteDatabase): void {
  database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  database.exec('pragma auto_vacuum = incremental')
  // Deleted and overwritten text is zeroed in the file at once: `forget` promises it.
  database.prepare('pragma secure_delete = on').all()
  const [row] = database.prepare('select sqlite_version() as version').all()
  if (hasSafeWal(String((row as { version?: unknown } | undefined)?.version))) {
    database.prepare('pragma journal_mode = wal').all()
    database.exec('pragma synchronous = normal')
  } else {
    database.prepare('pragma journal_mode = truncate').all()
    database.exec('pragma synchronous = full')
  }
}

function createTables(database: SqliteDatabase): void {
  const version = storedVersion(database)
  if (version === schemaVersion) return
  database.exec('begin immediate')
  try {
    database.exec(`
      create table if not exists palimpsest_schema (part text primary key, version integer not null);
      create table if not exists memory_events (sequence integer primary key autoincrement, body text not null);
      create table if not exists memory_log (only integer primary key check (only = 1), generation integer not null);
      insert or ignore into memory_log (only, generation) values (1, 1);
      insert or ignore into palimpsest_schema (part, version) values ('memory', ${schemaVersion});
    `)
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
  const now = storedVersion(database)
  if (now > schemaVersion)
    throw new PalimpsestError(
      'store-version',
      `the memory has schema ${now}, and this version of Palimpsest knows ${schemaVersion}: update Palimpsest, or use another store`,
    )
}

function storedVersion(database: SqliteDatabase): number {
  const tables = database
    .prepare("select 1 from sqlite_master where type = 'table' and name = 'palimpsest_schema'")
    .all()
  if (tables.length === 0) return 0
  const [row] = database
    .prepare("select version from palimpsest_schema where part = 'memory'")
    .all()
  return Number((row as { version?: unknown } | undefined)?.version ?? 0)
}

/** Empties the write-ahead log and gives free pages back, so that no copy of what was deleted stays. */
function scrub(database: SqliteDatabase): void {
  database.prepare('pragma incremental_vacuum').all()
  database.prepare('pragma wal_checkpoint(truncate)').all()
}

function rollBack(run: (sql: string) => unknown): void {
  try {
    run('rollback')
  } catch {
    // A full disk has SQLite roll back by itself; the error that led here is the one to report.
  }
}

function readRow(row: unknown): LoggedEvent {
  const { sequence, body } = row as { sequence: unknown; body: unknown }
  return { sequence: Number(sequence), event: parseEvent(String(body)) }
}
