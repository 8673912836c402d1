import type { Client, Pool, PoolClient, PoolConfig } from 'pg'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { queriesFor, runWaiting, type Statement, type Steps } from '../sql/steps.ts'
import { type ConnectionUrl, malformedUrl, readConnectionUrl } from './connection-url.ts'
import {
  canRetry,
  explainConnectError,
  explainPostgresError,
  isRefused,
  type PostgresPlace,
  quoted,
  rewriteRefused,
  schemaRefused,
} from './explain.ts'

const connectMs = 5000
/** How long a statement waits for a lock that another process holds. */
const lockMs = 5000
/** How long to wait for a response. */
const responseMs = 60_000
const mostConnections = 10
const mostTries = 5

const int8 = 20

/**
 * Connects to a database, directly or through a transaction pooler: no state is kept between transactions. `pg` must be
 * installed.
 */
export async function openPostgres<Tables>(url: string): Promise<SqlEngine<Tables>> {
  const { pool, place } = await connect(readConnectionUrl(url))
  const { schema } = place
  const explain = (error: unknown): PalimpsestError | null => explainPostgresError(error, place)
  /** Retries work that conflicted with another process. */
  async function transaction<Result>(mode: string, work: () => Steps<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await tryOnce(pool, place, mode, work)
      } catch (error) {
        if (tries >= mostTries || !canRetry(error)) throw error
      }
    }
  }
  const engine: SqlEngine<Tables> = {
    name: 'postgres',
    schema,
    db: queriesFor<Tables>('postgres', schema),
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
      for (const table of rewritten) await rewriteTable(engine, place, table)
      if (rewritten.length > 0) return
      // A vacuum lets the space of dead rows be reused.
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

/**
 * A plain VACUUM leaves the bytes of dead rows in their pages. VACUUM FULL cannot run in a transaction, which sets the
 * lock timeout, so the table is rewritten with CLUSTER.
 */
async function rewriteTable<Tables>(
  engine: SqlEngine<Tables>,
  place: PostgresPlace,
  table: string,
): Promise<void> {
  const sql = `cluster ${quoted(place.schema)}.${quoted(table)} using ${quoted(`${table}_pkey`)}`
  try {
    await engine.write(function* () {
      yield { sql, parameters: [] }
    })
  } catch (error) {
    throw isRefused(error) ? rewriteRefused(place, table, error) : error
  }
}

/** The user's search_path must not decide which objects are used. */
const settings = `set local search_path = pg_catalog, pg_temp; set local lock_timeout = ${lockMs}`

async function tryOnce<Result>(
  pool: Pool,
  place: PostgresPlace,
  mode: string,
  work: () => Steps<Result>,
): Promise<Result> {
  const client = await begun(pool, place, mode)
  const execute = async ({ sql, parameters }: Statement): Promise<readonly unknown[]> =>
    (await client.query(sql, [...parameters])).rows
  try {
    const result = await runWaiting(work(), execute)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await giveUp(client)
    throw error
  }
}

/** A connection on which the rollback fails is not used again. */
async function giveUp(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch {
    client.release(true)
  }
}

/** A connection in a new transaction. Nothing was done on one that the server has closed meanwhile, so another one is taken. */
async function begun(pool: Pool, place: PostgresPlace, mode: string): Promise<PoolClient> {
  for (let tries = 1; ; tries++) {
    const client = await connection(pool, place)
    try {
      await client.query(`begin ${mode}; ${settings}`)
      return client
    } catch (error) {
      client.release(true)
      if (tries > mostConnections) throw error
    }
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
  // Poolers reject startup parameters that they do not know.
  const config: PoolConfig = {
    connectionString: target.connectionString,
    max: mostConnections,
    connectionTimeoutMillis: connectMs,
    query_timeout: responseMs,
    keepAlive: true,
    application_name: 'palimpsest',
    types: {
      // All values are far below 2^53.
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

/** `pg` parses the URL when a client is created, before it connects. */
function placeOf(client: () => Client, schema: string): PostgresPlace {
  try {
    const { host, port, user = '', database = '' } = client()
    return { url: `postgres://${user}@${host}:${port}/${database}`, schema, user }
  } catch {
    throw malformedUrl()
  }
}

function quietPool(pool: Pool): Pool {
  // When an idle connection breaks, the next query opens another one.
  pool.on('error', () => {})
  // When a connection in use breaks, the pending query rejects with the same error.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** Creates the schema when it does not exist; only then the user needs the right to. */
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
    // Another process created it at the same time.
    const { code } = error as { code?: unknown }
    if (code !== '23505' && code !== '42P06') throw error
  }
}
