import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inventedSession } from './invented-session.ts'
import { send } from './send.ts'
import type { Row, Stage } from './stage.ts'

/** A session grows by one call and its result with each request, up to about 100,000 tokens. */
const requestsOfSession = 80
const largestBytes = 400_000
const clients = 8
/** How often an agent sends a request, for the figures per developer. */
const paceSeconds = 20
const msPerTick = 10

/** What a gateway and its PostgreSQL spend on a request, for sizing. Processor time does not depend on other programs. */
export async function team(stage: Stage): Promise<readonly Row[]> {
  const sessions = stage.isQuick ? 8 : 40
  const postgres = await startPostgres()
  try {
    const onFile = await measure(stage, sessions, undefined)
    const before = await postgres.figures()
    const onServer = await measure(stage, sessions, postgres.url)
    const after = await postgres.figures()
    const requests = sessions * requestsOfSession
    const each = (name: keyof Figures): number => (after[name] - before[name]) / requests
    const perCore = 1000 / onServer.processorMs
    return [
      row('sessions, and requests of each', `${sessions}, ${requestsOfSession}`),
      row('failed or bypassed requests', `${onFile.failures + onServer.failures}`),
      row('gateway on SQLite: processor time a request', `${onFile.processorMs.toFixed(1)} ms`),
      row(
        'gateway on PostgreSQL: processor time a request',
        `${onServer.processorMs.toFixed(1)} ms`,
      ),
      row('requests a second and core, on PostgreSQL', perCore.toFixed(0)),
      row(
        `sessions a core, at one request each per ${paceSeconds} s`,
        (perCore * paceSeconds).toFixed(0),
      ),
      row(
        'the same for a session that was not in memory',
        `${(await coldMs(stage, sessions, postgres.url)).toFixed(1)} ms`,
      ),
      row('gateway: resident memory at the end', `${onServer.residentMb.toFixed(0)} MB`),
      row('PostgreSQL: processor time a request', `${each('processorMs').toFixed(1)} ms`),
      row('PostgreSQL: transactions a request', each('transactions').toFixed(1)),
      row('PostgreSQL: kilobytes of WAL a request', (each('walBytes') / 1000).toFixed(1)),
      row('PostgreSQL: kilobytes stored a request', (each('bytes') / 1000).toFixed(1)),
      row(
        'PostgreSQL: kilobytes stored a session',
        ((each('bytes') * requestsOfSession) / 1000).toFixed(0),
      ),
    ]
  } finally {
    await postgres.stop()
  }
}

function row(what: string, value: string): Row {
  return { what, value }
}

interface Measured {
  /** For each request. */
  readonly processorMs: number
  readonly residentMb: number
  readonly failures: number
}

async function measure(
  { startGateway }: Stage,
  sessions: number,
  store: string | undefined,
): Promise<Measured> {
  const gateway = await startGateway(store)
  let failures = 0
  let next = 0
  const client = async (): Promise<void> => {
    for (let at = next++; at < sessions; at = next++) {
      const messages = 2 * requestsOfSession
      const name = `team-${at}`
      const { body } = inventedSession({ name, bytes: largestBytes, messages })
      for (let request = 1; request <= requestsOfSession; request++) {
        const { status, receipt } = await send(gateway.url, body(2 * request - 1), name)
        if (status !== 200 || receipt.includes('bypass')) failures++
      }
    }
  }
  const from = gateway.processorMs()
  await Promise.all(Array.from({ length: clients }, client))
  // Usage is written shortly after the answers.
  await sleep(500)
  const processorMs = (gateway.processorMs() - from) / (sessions * requestsOfSession)
  const residentMb = gateway.residentMb()
  await gateway.stop()
  return { processorMs, residentMb, failures }
}

/** Processor time of a request whose session has to be loaded, at its full length. */
async function coldMs({ startGateway }: Stage, sessions: number, store: string): Promise<number> {
  const gateway = await startGateway(store)
  const from = gateway.processorMs()
  for (let at = 0; at < sessions; at++) {
    const name = `team-${at}`
    const { body } = inventedSession({ name, bytes: largestBytes, messages: 2 * requestsOfSession })
    await send(gateway.url, body(2 * requestsOfSession + 1), name)
  }
  await sleep(500)
  const spent = (gateway.processorMs() - from) / sessions
  await gateway.stop()
  return spent
}

interface Figures {
  readonly processorMs: number
  readonly transactions: number
  readonly walBytes: number
  readonly bytes: number
}

interface MeasuredPostgres {
  readonly url: string
  figures(): Promise<Figures>
  stop(): Promise<void>
}

async function startPostgres(): Promise<MeasuredPostgres> {
  const child = spawn(process.execPath, ['scripts/postgres.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const [url = ''] = await new Promise<readonly string[]>((resolve) =>
    createInterface({ input: child.stdout }).once('line', (line) => resolve([line])),
  )
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    url,
    async figures() {
      // Backends report what they did with a delay.
      await sleep(1_500)
      await client.query('checkpoint')
      const { rows } = await client.query(
        `select xact_commit::float8 as transactions, pg_database_size(current_database())::float8 as bytes,
          (pg_current_wal_lsn() - '0/0')::float8 as wal
          from pg_stat_database where datname = current_database()`,
      )
      const { transactions, bytes, wal } = rows[0] as Record<
        'transactions' | 'bytes' | 'wal',
        number
      >
      return { transactions, bytes, walBytes: wal, processorMs: processorMsBelow(child.pid ?? 0) }
    },
    async stop() {
      await client.end()
      child.stdin.end()
      await gone
    },
  }
}

/** Processor time of a process and all below it, including those that have ended and were waited for. */
function processorMsBelow(root: number): number {
  const parents = new Map<number, number>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      parents.set(Number(name), Number(fields[1]))
      const own = [11, 12, 13, 14].map((at) => Number(fields[at]))
      ticks.set(
        Number(name),
        own.reduce((sum, each) => sum + each, 0),
      )
    } catch {
      // It ended meanwhile.
    }
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === root || isBelow(parents.get(pid)))
  let sum = 0
  for (const [pid, count] of ticks) if (isBelow(pid)) sum += count
  return sum * msPerTick
}
