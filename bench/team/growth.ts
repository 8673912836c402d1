import { hash, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { LedgerEntry } from '../../src/core/words/ledger.ts'
import { openStore, type Store, type StoredMessage } from '../../src/store/index.ts'
import { quantile } from '../gateway/send.ts'
import { startPostgres } from './postgres.ts'

const gigabyte = 1e9
const turnsOfSession = 60
const writers = 4
/** They take about 130 MB. */
const writtenSessions = 96
const rounds = 40
/** Random, so that compression does not shrink the store. */
const resultBytes = 24_000

interface Filled {
  readonly id: string
  readonly handles: readonly string[]
}

interface Grown {
  readonly gigabytes: number
  readonly store: Store
  readonly filled: readonly Filled[]
}

/**
 * Appends, loads and restores in PostgreSQL stores of several sizes, in turn, so that whatever else the machine does meets all of
 * them. The first sessions of each are written by the store; the others are copies of them that share no text, because ten
 * gigabytes through the store take hours.
 */
export async function* measureGrowth(gigabytes: readonly number[]): AsyncGenerator<string> {
  const server = await startPostgres()
  const grown: Grown[] = []
  try {
    for (const size of gigabytes) {
      const startedAt = Date.now()
      const made = await grow(server.url, size)
      grown.push(made)
      const seconds = Math.round((Date.now() - startedAt) / 1000)
      yield `${size} GB, ${made.filled.length} sessions, filled in ${seconds} s`
    }
    yield* await measure(grown)
  } finally {
    for (const { store } of grown) await store.close()
    await server.stop()
  }
}

async function grow(server: string, gigabytes: number): Promise<Grown> {
  const name = `grown_${String(gigabytes).replace('.', '_')}`
  await connected(server, (client) => client.query(`create database ${name}`))
  const url = server.replace(/\/postgres$/, `/${name}`)
  const store = await openStore({ kind: 'postgres', url })
  const written: Filled[] = []
  while (written.length < writtenSessions)
    written.push(...(await Promise.all(Array.from({ length: writers }, () => fill(store)))))
  const filled = [...written]
  await connected(url, async (client) => {
    await client.query('set search_path to palimpsest')
    while ((await bytesOf(client)) < gigabytes * gigabyte)
      filled.push(...(await copy(client, written)))
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
  return { gigabytes, store, filled }
}

async function connected<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function bytesOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select pg_database_size(current_database())::bigint as size')
  return Number(rows[0].size)
}

/** Copies the sessions that the store wrote, under numbers, ids, handles and hashes of their own. */
async function copy(client: pg.Client, written: readonly Filled[]): Promise<readonly Filled[]> {
  const name = randomBytes(4).toString('hex')
  const { rows } = await client.query(
    `select (select max(number) from sessions) as session, (select max(id) from blocks) as block,
      (select max(id) from originals) as original`,
  )
  const { session, block, original } = rows[0] as Record<string, string>
  const ids = written.map(({ id }) => id)
  await client.query('begin')
  await client.query(
    `create temporary table chosen on commit drop as select number from sessions where id = any($1)`,
    [ids],
  )
  await client.query(
    `insert into sessions (number, id, credential, parent, origin, folder, created_at, used_at, messages, ledger, entries,
        receipts, head, last_block) overriding system value
      select number + ${session}, id || '${name}', credential, parent, origin, folder, created_at, used_at, messages,
        ledger, entries, receipts, head, last_block + ${block}
      from sessions where number in (select number from chosen) order by number`,
  )
  await client.query(
    `insert into blocks (id, session, chain, body_start, messages, ledger, entries, data) overriding system value
      select id + ${block}, session + ${session}, chain + ${block}, body_start, messages, ledger, entries, data
      from blocks where session in (select number from chosen) order by id`,
  )
  await client.query(
    `insert into originals (id, hash, block, start, bytes, form, characters) overriding system value
      select o.id + ${original}, substr(sha256(o.hash || '${name}'::bytea), 1, length(o.hash)), o.block + ${block}, o.start,
        o.bytes, o.form, o.characters
      from originals o join blocks b on b.id = o.block where b.session in (select number from chosen) order by o.id`,
  )
  await client.query(
    `insert into items (session, message, ordinal, handle, original)
      select session + ${session}, message, ordinal, substr(md5(handle || '${name}'), 1, 12), original + ${original}
      from items where session in (select number from chosen) order by session, message, ordinal`,
  )
  for (const [table, id] of [
    ['sessions', 'number'],
    ['blocks', 'id'],
    ['originals', 'id'],
  ])
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${id}'), (select max(${id}) from ${table}))`,
    )
  await client.query('commit')
  return written.map(({ id, handles }) => ({
    id: `${id}${name}`,
    handles: handles.map((handle) => hash('md5', handle + name).slice(0, 12)),
  }))
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

type Times = Record<'append a turn' | 'load a session' | 'restore an original', number[]>

async function measure(grown: readonly Grown[]): Promise<readonly string[]> {
  const all = grown.map(
    (): Times => ({
      'append a turn': [],
      'load a session': [],
      'restore an original': [],
    }),
  )
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [...grown.keys()] : [...grown.keys()].reverse()
    for (const at of order) await measureOne(grown[at] as Grown, all[at] as Times, round)
  }
  return all.flatMap((times, at) => [
    `with ${grown[at]?.gigabytes} GB:`,
    ...Object.entries(times).map(([what, each]) => line(what, each)),
  ])
}

/** A new session of a few turns, and sessions and originals from everywhere in the store. */
async function measureOne({ store, filled }: Grown, times: Times, round: number): Promise<void> {
  const pick = (at: number): Filled => filled[(at * 7919) % filled.length] as Filled
  const id = `new-${randomBytes(6).toString('hex')}`
  const session = await store.openSession({ id, origin: 'bench' })
  let expected = { messages: 0, ledger: 0, entries: 0 }
  for (let turn = 0; turn < 10; turn++) {
    const addition = { expected, ...turnOf(turn, []) }
    const append = async (): Promise<void> => {
      const outcome = await store.append(session, addition)
      if (outcome.kind !== 'done') throw new Error(outcome.kind)
      expected = outcome.extent
    }
    times['append a turn'].push(await timed(append))
  }
  for (let at = 2 * round; at < 2 * round + 2; at++) {
    const load = async (): Promise<void> => {
      const found = await store.findSession({ id: pick(at).id })
      if (found === null) throw new Error(`${pick(at).id} is absent`)
      await store.load(found)
    }
    times['load a session'].push(await timed(load))
  }
  for (let at = 20 * round; at < 20 * round + 20; at++) {
    const { handles } = pick(at)
    const handle = handles[at % handles.length] as string
    const restore = async (): Promise<void> => {
      const { kind } = await store.original(handle)
      if (kind !== 'found') throw new Error(`${handle} is ${kind}`)
    }
    times['restore an original'].push(await timed(restore))
  }
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
