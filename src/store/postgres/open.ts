import type { Client, Pool, PoolClient, PoolConfig } from 'pg'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { queriesFor, runWaiting, type Statement, type Steps } from '../sql/steps.ts'
import { type ConnectionUrl, malformedUrl, readConnectionUrl } from './connection-url.ts'
import {
  explainConnectError,
  explainPostgresError,
  isRefused,
  isWorthAnotherTry,
  type PostgresPlace,
  quoted,
  rewriteRefused,
  schemaRefused,
} from './explain.ts'

const connectMs = 5000
/** How long a statement waits for a lock that another process holds. */
const lockMs = 5000
/** How long an answer may take before the connection counts as lost. */
const answerMs = 60_000
const mostConnections = 10
const mostTries = 5

const int8 = 20

/**
 * Connects to a database. Many processes may use it at once, also through a pooler that gives each transaction another
 * connection: nothing is set or kept between two transactions. `pg` must be installed.
 */
export async function openPostgres<Tables>(url: string): Promise<SqlEngine<Tables>> {
  const { pool, place } = await connect(readConnectionUrl(url))
  const { schema } = place
  const explain = (error: unknown): PalimpsestError | null => explainPostgresError(error, place)
  /** Work that was in the way of another process, or the other way round, is done again from its beginning. */
  async function transaction<Result>(mode: string, work: () => Steps<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await tryOnce(pool, place, mode, work)
      } catch (error) {
        if (tries >= mostTries || !isWorthAnotherTry(error)) throw error
      }
    }
  }
  const engine: SqlEngine<Tables> = {
    name: 'postgres',
    schema,
    db: queriesFor<Tables>('postgres').withSchema(schema),
    write: (work) => transaction('isolation level read committed', work),
    read: (work) => transaction('isolation level repeatable read, read only', work),
    *lock(name, mode) {
      const suffix = mode === 'shared' ? '_shared' : ''
      const sql = `select pg_advisory_xact_lock${suffix}(hashtextextended($1, 0))`
      yield { sql, parameters: [`${schema} ${name}`] }
    },
    *hasTable(name) {
      const sql = 'select 1 from pg_tables where schemaname = $1 and tablename = $2'
      return (yield { sql, parameters: [schema, name] }).length > 0
    },
    bytes: () =>
      engine.read(function* () {
        const sql = `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = $1 and c.relkind = 'r'`
        const [row] = yield { sql, parameters: [schema] }
        return (row as { readonly bytes: number } | undefined)?.bytes ?? 0
      }),
    async reclaim(rewritten = []) {
      // A vacuum leaves the bytes of dead rows in their pages; only writing the table anew does not. VACUUM FULL cannot
      // be told within a transaction for how long to wait.
      for (const table of rewritten) {
        const sql = `cluster ${quoted(schema)}.${quoted(table)} using ${quoted(`${table}_pkey`)}`
        try {
          await engine.write(function* () {
            yield { sql, parameters: [] }
          })
        } catch (error) {
          throw isRefused(error) ? rewriteRefused(place, table, error) : error
        }
      }
      if (rewritten.length > 0) return
      // Freed rows are reused once the server's own vacuum has seen them; asking for it now makes that soon.
      for (const table of ['blocks', 'originals', 'items', 'sessions'])
        await pool.query(`vacuum (skip_locked) ${quoted(schema)}.${quoted(table)}`)
    },
    problems: async () => [],
    explain,
    close: () => pool.end(),
  }
  try {
    await makeSchema(engine, place)
    return engine
  } catch (error) {
    await pool.end()
    throw explain(error) ?? error
  }
}

/** Names are looked up nowhere but in PostgreSQL's own schema, whatever the user's search_path says. */
const settings = `set local search_path = pg_catalog, pg_temp; set local lock_timeout = ${lockMs}`

async function tryOnce<Result>(
  pool: Pool,
  place: PostgresPlace,
  mode: string,
  work: () => Steps<Result>,
): Promise<Result> {
  const client = await connection(pool, place)
  const execute = async ({ sql, parameters }: Statement): Promise<readonly unknown[]> =>
    (await client.query(sql, [...parameters])).rows
  try {
    await client.query(`begin ${mode}; ${settings}`)
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

async function connection(pool: Pool, place: PostgresPlace): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw explainConnectError(error, place)
  }
}

interface Connected {
  readonly pool: Pool
  readonly place: PostgresPlace
}

async function connect(target: ConnectionUrl): Promise<Connected> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new PalimpsestError(
      'store-driver',
      'a PostgreSQL store needs the package pg: `npm install pg`',
      { cause },
    )
  })
  // Startup parameters other than the name are left out: a pooler refuses those that it does not know.
  const config: PoolConfig = {
    connectionString: target.connectionString,
    max: mostConnections,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    application_name: 'palimpsest',
    types: {
      // Counts, numbers of sessions and milliseconds: all of them far below 2^53.
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === int8 ? Number : pg.types.getTypeParser(type, format as 'text'),
    },
    ...(target.ssl !== undefined && { ssl: target.ssl }),
  }
  const place = placeOf(() => new pg.Client(config), target.schema)
  const pool = quietPool(new pg.Pool(config))
  if (!target.mayGoWithoutTls) return { pool, place }
  try {
    const client = await pool.connect()
    client.release()
    return { pool, place }
  } catch (error) {
    await pool.end()
    if (!/does not support SSL/.test(String(error))) throw explainConnectError(error, place)
    return { pool: quietPool(new pg.Pool({ ...config, ssl: false })), place }
  }
}

/** What `pg` understands of the URL; it reads it when a client is made, and connects to nothing yet. */
function placeOf(client: () => Client, schema: string): PostgresPlace {
  try {
    const { host, port, user = '', database = '' } = client()
    return { url: `postgres://${user}@${host}:${port}/${database}`, schema, user }
  } catch {
    throw malformedUrl()
  }
}

function quietPool(pool: Pool): Pool {
  // A connection that breaks while nobody uses it: the next query opens another, or says what is wrong.
  pool.on('error', () => {})
  // And one that breaks while somebody does: the query that waits for an answer is rejected with the same error.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** Only asks for the right to make a schema when there is none yet. */
async function makeSchema<Tables>(engine: SqlEngine<Tables>, place: PostgresPlace): Promise<void> {
  const isThere = await engine.read(function* () {
    const sql = 'select 1 from pg_namespace where nspname = $1'
    return (yield { sql, parameters: [place.schema] }).length > 0
  })
  if (isThere) return
  try {
    await engine.write(function* () {
      yield { sql: `create schema if not exists ${quoted(place.schema)}`, parameters: [] }
    })
  } catch (error) {
    if (isRefused(error)) throw schemaRefused(place, error)
    // Two processes that make it at once: one of them is told that it is there.
    const { code } = error as { code?: unknown }
    if (code !== '23505' && code !== '42P06') throw error
  }
}
