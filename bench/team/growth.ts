import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import { openStore, type Store, type StoredMessage } from '../../src/store/index.ts'
import { quantile } from '../gateway/send.ts'
import { startPostgres } from './postgres.ts'

const gigabyte = 1e9
const turnsOfSession = 60
const writers = 4
/** Random, so that compression does not shrink the store. */
const resultBytes = 24_000

interface Filled {
  readonly id: string
  readonly handles: readonly string[]
}

/** Appends, loads and restores in a PostgreSQL store as it grows: one line for each size. */
export async function* measureGrowth(gigabytes: readonly number[]): AsyncGenerator<string> {
  const server = await startPostgres()
  const store = await openStore({ kind: 'postgres', url: server.url })
  const filled: Filled[] = []
  try {
    for (const size of gigabytes) {
      const startedAt = Date.now()
      while ((await bytesOf(server.url)) < size * gigabyte)
        filled.push(...(await Promise.all(Array.from({ length: writers }, () => fill(store)))))
      const seconds = Math.round((Date.now() - startedAt) / 1000)
      yield `${size} GB, ${filled.length} sessions, filled in ${seconds} s`
      yield* await measure(store, filled)
    }
  } finally {
    await store.close()
    await server.stop()
  }
}

async function bytesOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select pg_database_size(current_database())::bigint as size')
  await client.end()
  return Number(rows[0].size)
}

async function fill(store: Store): Promise<Filled> {
  const id = `bench-${randomBytes(6).toString('hex')}`
  const session = await store.openSession({ id, origin: 'bench' })
  let expected = { messages: 0, ledger: 0, entries: 0 }
  const handles: string[] = []
  for (let turn = 0; turn < turnsOfSession; turn++) {
    const outcome = await store.append(session, { expected, ...turnOf(turn, handles) })
    if (outcome.kind !== 'done') throw new Error(outcome.kind)
    expected = outcome.extent
  }
  return { id, handles }
}

function turnOf(
  turn: number,
  handles: string[],
): { readonly messages: readonly StoredMessage[]; readonly entries: readonly LedgerEntry[] } {
  const [asked, answered] = [randomBytes(6).toString('hex'), randomBytes(6).toString('hex')]
  handles.push(answered)
  const call = `toolu_${asked}`
  const text = randomBytes((resultBytes * 3) / 4).toString('base64')
  const tool = 'Read'
  const first = turn * 2
  const messages: readonly StoredMessage[] = [
    {
      previous: first === 0 ? null : first - 1,
      draft: {
        role: 'assistant',
        items: [{ kind: 'call', tool, call, text: `{"file_path":"src/${asked}.ts"}` }],
      },
      handles: [asked],
    },
    {
      previous: first,
      draft: { role: 'tool', items: [{ kind: 'result', tool, call, status: 'ok', text }] },
      handles: [answered],
    },
  ]
  return { messages, entries: [{ kind: 'limit', turn: turn + 1, tokens: 200_000 }] }
}

async function measure(store: Store, filled: readonly Filled[]): Promise<readonly string[]> {
  const pick = (at: number): Filled => filled[(at * 7919) % filled.length] as Filled
  const appends: number[] = []
  for (let round = 0; round < 5; round++) {
    const session = await store.openSession({
      id: `new-${randomBytes(6).toString('hex')}`,
      origin: 'bench',
    })
    let expected = { messages: 0, ledger: 0, entries: 0 }
    for (let turn = 0; turn < turnsOfSession; turn++) {
      const addition = { expected, ...turnOf(turn, []) }
      appends.push(
        await timed(async () => {
          const outcome = await store.append(session, addition)
          if (outcome.kind !== 'done') throw new Error(outcome.kind)
          expected = outcome.extent
        }),
      )
    }
  }
  const loads: number[] = []
  const restores: number[] = []
  for (let at = 0; at < 60; at++) {
    const { id } = pick(at)
    loads.push(
      await timed(async () => {
        const session = await store.findSession({ id })
        if (session !== null) await store.load(session)
      }),
    )
  }
  for (let at = 0; at < 600; at++) {
    const { handles } = pick(at)
    const handle = handles[at % handles.length] as string
    restores.push(
      await timed(async () => {
        const { kind } = await store.original(handle)
        if (kind !== 'found') throw new Error(`${handle} is ${kind}`)
      }),
    )
  }
  return [
    line('append a turn', appends),
    line(`load a session of ${turnsOfSession * 2} messages`, loads),
    line('restore one original', restores),
  ]
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function line(what: string, times: readonly number[]): string {
  const [median, slow] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(1))
  return `  ${what}: median ${median} ms, 95 % within ${slow} ms (${times.length} times)`
}
