import type { Pool, PoolClient, PoolConfig } from 'pg'
import { PalimpsestError } from '../../core/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { queriesFor, runWaiting, type Statement, type Steps } from '../sql/steps.ts'
import { explainPostgresError, isWorthAnotherTry } from './explain.ts'

/** The tables stand in a schema of this name, beside whatever else the database holds. */
const schemaName = 'palimpsest'

const connectMs = 5000
/** How long a statement waits for a lock that another process holds. */
const lockMs = 5000
/** How long an answer may take before the connection counts as lost. */
const answerMs = 60_000
const mostConnections = 10
const mostTries = 5

const int8 = 20

/** Connects to a database. Many processes may use it at once. `pg` must be installed. */
export async function openPostgres<Tables>(url: string): Promise<SqlEngine<Tables>> {
  const pool = await connect(url)
  const explain = (error: unknown): PalimpsestError | null => explainPostgresError(error, url)
  try {
    await makeSchema(pool)
  } catch (error) {
    await pool.end()
    throw explain(error) ?? error
  }
  /** Work that was in the way of another process, or the other way round, is done again from its beginning. */
  async function transaction<Result>(mode: string, work: () => Steps<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await tryOnce(pool, mode, work)
      } catch (error) {
        if (tries >= mostTries || !isWorthAnotherTry(error)) throw error
      }
    }
  }
  return {
    name: 'postgres',
    db: queriesFor<Tables>('postgres').withSchema(schemaName),
    write: (work) => transaction('isolation level read committed', work),
    read: (work) => transaction('isolation level repeatable read, read only', work),
    *lock(name, mode) {
      const suffix = mode === 'shared' ? '_shared' : ''
      const sql = `select pg_advisory_xact_lock${suffix}(hashtextextended($1, 0))`
      yield { sql, parameters: [`${schemaName} ${name}`] }
    },
    *hasTable(name) {
      const sql = 'select 1 from pg_tables where schemaname = $1 and tablename = $2'
      return (yield { sql, parameters: [schemaName, name] }).length > 0
    },
    async bytes() {
      const { rows } = await pool.query<{ bytes: number }>(
        `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = $1 and c.relkind = 'r'`,
        [schemaName],
      )
      return rows[0]?.bytes ?? 0
    },
    // Freed rows are reused once the server's own vacuum has seen them; asking for it now makes that soon.
    async reclaim(rewritten = []) {
      // A vacuum leaves the bytes of dead rows in their pages; only writing the table anew does not.
      for (const table of rewritten) await pool.query(`vacuum full ${schemaName}.${table}`)
      if (rewritten.length > 0) return
      for (const table of ['blocks', 'originals', 'items', 'sessions'])
        await pool.query(`vacuum ${schemaName}.${table}`)
    },
    problems: async () => [],
    explain,
    close: () => pool.end(),
  }
}

async function tryOnce<Result>(
  pool: Pool,
  mode: string,
  work: () => Steps<Result>,
): Promise<Result> {
  const client = await pool.connect()
  const execute = async ({ sql, parameters }: Statement): Promise<readonly unknown[]> =>
    (await client.query(sql, [...parameters])).rows
  try {
    await client.query(`begin ${mode}`)
    const result = await runWaiting(work(), execute)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await giveUp(client)
    throw error
  }
}

/** A connection on which even this fails is not used again. */
async function giveUp(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch {
    client.release(true)
  }
}

async function connect(url: string): Promise<Pool> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new PalimpsestError(
      'store-driver',
      'a PostgreSQL store needs the package pg: `npm install pg`',
      { cause },
    )
  })
  const config: PoolConfig = {
    connectionString: url,
    max: mostConnections,
    connectionTimeoutMillis: connectMs,
    lock_timeout: lockMs,
    query_timeout: answerMs,
    keepAlive: true,
    application_name: 'palimpsest',
    types: {
      // Counts, numbers of sessions and milliseconds: all of them far below 2^53.
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === int8 ? Number : pg.types.getTypeParser(type, format as 'text'),
    },
  }
  const pool = new pg.Pool(config)
  // A connection that breaks while nobody uses it: the next query opens another, or says what is wrong.
  pool.on('error', () => {})
  // And one that breaks while somebody does: the query that waits for an answer is rejected with the same error.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** Only asks for the right to make a schema when there is none yet. */
async function makeSchema(pool: Pool): Promise<void> {
  const found = await pool.query('select 1 from pg_namespace where nspname = $1', [schemaName])
  if (found.rows.length > 0) return
  try {
    await pool.query(`create schema if not exists ${schemaName}`)
  } catch (error) {
    // Two processes that make it at once: one of them is told that it is there.
    const { code } = error as { code?: unknown }
    if (code !== '23505' && code !== '42P06') throw error
  }
}
