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
/** Random, so that compression does not shrink the store. */
const resultBytes = 24_000

interface Filled {
  readonly id: string
  readonly handles: readonly string[]
}

/**
 * Appends, loads and restores in a PostgreSQL store as it grows: lines for each size. The first sessions are written by the
 * store; the others are copies of them that share no text, because ten gigabytes through the store take hours.
 */
export async function* measureGrowth(gigabytes: readonly number[]): AsyncGenerator<string> {
  const server = await startPostgres()
  const store = await openStore({ kind: 'postgres', url: server.url })
  const client = new pg.Client({ connectionString: server.url })
  try {
    await client.connect()
    await client.query('set search_path to palimpsest')
    const written: Filled[] = []
    while (written.length < writtenSessions)
      written.push(...(await Promise.all(Array.from({ length: writers }, () => fill(store)))))
    const filled = [...written]
    for (const size of gigabytes) {
      const startedAt = Date.now()
      while ((await bytesOf(client)) < size * gigabyte)
        filled.push(...(await copy(client, written)))
      await client.query('vacuum analyze')
      await client.query('checkpoint')
      const seconds = Math.round((Date.now() - startedAt) / 1000)
      yield `${size} GB, ${filled.length} sessions, filled in ${seconds} s`
      yield* await measure(store, filled)
    }
  } finally {
    await client.end()
    await store.close()
    await server.stop()
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
