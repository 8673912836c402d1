import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { projectRoot } from '../model/project-root.ts'
import { inLocation, type PlaceMaker } from './places.ts'

/** A server of its own, without any store in it. */
export interface PostgresServer {
  /** As its superuser, whom nothing of ours is named after. */
  readonly url: string
  /** An empty database, made with these options; the superuser's URL of it. */
  database(options?: string): Promise<string>
  /** Makes a user without any right of their own, where there is none of that (quoted) name. */
  role(name: string): Promise<void>
  /** The URL of the same database for a user that `role` made. */
  as(user: string, url: string): string
  /** Runs a statement as the server's owner, in that database. */
  query(sql: string, database?: string): Promise<void>
  /** The same for one that gives rows. */
  rows(sql: string, database?: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Runs a statement in a transaction that stays open until the function that it gives is called. */
  hold(database: string, sql: string): Promise<() => Promise<void>>
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it for good and removes everything. */
  end(): Promise<void>
}

/** A folder that is a file system of its own for the server, and nothing of it for anybody else. */
export interface NarrowFolder {
  readonly path: string
  readonly megabytes: number
}

const shared: { server?: Promise<PostgresServer> } = {}

/** One server for all suites of a worker that neither stop it nor read its files. It ends with the worker. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared.server ??= startPostgres()
  return shared.server
}

export async function startPostgres(narrow?: NarrowFolder): Promise<PostgresServer> {
  const program = [process.execPath, 'scripts/postgres.mjs']
  const [command = '', ...args] = narrow === undefined ? program : withNarrow(narrow, program)
  const child = spawn(command, args, { cwd: projectRoot, stdio: ['pipe', 'pipe', 'inherit'] })
  // A server that nobody ends must not keep the worker: when the worker is gone, the server's input ends.
  for (const part of [child, child.stdin as Socket, child.stdout as Socket]) part.unref()
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<string> => {
    // Nothing else keeps a program alive that only waits for the server.
    const wait = setInterval(() => {}, 60_000)
    const { value, done } = await lines.next().finally(() => clearInterval(wait))
    if (done === true) throw new Error('the server did not start')
    return String(value)
  }
  const url = await answer()
  let made = 0
  const roles = new Set<string>()

  const rows: PostgresServer['rows'] = async (sql, database = url) => {
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    try {
      return (await client.query<Readonly<Record<string, unknown>>>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async function query(sql: string, database = url): Promise<void> {
    await rows(sql, database)
  }

  async function tell(word: string): Promise<void> {
    child.stdin.write(`${word}\n`)
    await answer()
  }

  return {
    url,
    query,
    rows,
    async role(name) {
      if (roles.has(name)) return
      roles.add(name)
      await query(`create role ${name} login password '${new URL(url).password}'`)
    },
    as: (user, database) => database.replace('//postgres:', `//${encodeURIComponent(user)}:`),
    async database(options = '') {
      const name = `store_${++made}`
      await query(`create database ${name} ${options}`)
      return url.replace(/\/postgres$/, `/${name}`)
    },
    async hold(database, sql) {
      const client = new pg.Client({ connectionString: database })
      await client.connect()
      await client.query('begin')
      await client.query(sql)
      return async () => {
        await client.query('rollback')
        await client.end()
      }
    },
    stop: () => tell('stop'),
    start: () => tell('start'),
    async end() {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.ref()
      child.stdin.end()
      await ended
    },
  }
}

/** Mounting asks for a user that looks like root, and PostgreSQL for one that does not: one namespace inside the other. */
function withNarrow({ path, megabytes }: NarrowFolder, program: readonly string[]): string[] {
  const nobody = '65534'
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs '${path}'`
  const inner = `exec unshare --user --map-user=${nobody} --map-group=${nobody} "$0" "$@"`
  return ['unshare', '--mount', '--map-root-user', 'sh', '-c', `${mount} && ${inner}`, ...program]
}

export function inDatabase(database: () => Promise<string>): PlaceMaker {
  return async (run) => {
    await inLocation({ kind: 'postgres', url: await database() })(run)
  }
}
