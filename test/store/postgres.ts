import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { projectRoot } from '../model/project-root.ts'
import { inLocation, type PlaceMaker } from './places.ts'

/** A server of its own, without any store in it. */
export interface PostgresServer {
  /** An empty database. */
  database(): Promise<string>
  /** Runs a statement as the server's owner. */
  query(sql: string): Promise<void>
  /** Runs a statement in a transaction that stays open until the function that it gives is called. */
  hold(database: string, sql: string): Promise<() => Promise<void>>
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it for good and removes everything. */
  end(): Promise<void>
}

export async function startPostgres(): Promise<PostgresServer> {
  const child = spawn(process.execPath, ['scripts/postgres.mjs'], {
    cwd: projectRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the server did not start')
    return String(value)
  }
  const url = await answer()
  let made = 0

  async function query(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }

  async function tell(word: string): Promise<void> {
    child.stdin.write(`${word}\n`)
    await answer()
  }

  return {
    query,
    async database() {
      const name = `store_${++made}`
      await query(`create database ${name}`)
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
      child.stdin.end()
      await ended
    },
  }
}

export function inDatabase(server: () => PostgresServer): PlaceMaker {
  return async (run) => {
    const url = await server().database()
    await inLocation({ kind: 'postgres', url })(run)
  }
}
