import { type Compilable, type Kysely, type Selectable, sql } from 'kysely'
import type {
  FoundOriginal,
  SessionKey,
  SessionSummary,
  SessionsOf,
  StoredSession,
} from '../store.ts'
import type { SessionsTable, StoreTables } from '../tables.ts'
import { BlockReader } from './block-reader.ts'
import type { StoreEngine } from './context.ts'
import type { SqlEngine } from './engine.ts'
import { sessionFrom } from './rows.ts'
import { firstOf, rowsOf, type Steps } from './steps.ts'

export async function openSession(
  engine: SqlEngine<StoreTables>,
  { id, parent = null, origin, folder = null, credential = '', owner }: SessionKey,
  now: number,
): Promise<StoredSession> {
  const { db } = engine
  const query = db
    .insertInto('sessions')
    .values({ id, parent, origin, folder, credential, created_at: now, used_at: now })
    .onConflict((conflict) =>
      conflict.columns(['id', 'credential']).doUpdateSet((eb) => ({
        used_at: now,
        parent: eb.fn.coalesce('sessions.parent', 'excluded.parent'),
        folder: eb.fn.coalesce('sessions.folder', 'excluded.folder'),
      })),
    )
    .returningAll()
  return engine.write(function* () {
    const [row] = yield* rowsOf(query)
    const session = sessionFrom(row as Selectable<SessionsTable>)
    if (owner !== undefined) yield* rowsOf(own(db, session.number, owner))
    return session
  })
}

/** The first owner stays. */
export function own(db: Kysely<StoreTables>, session: number, owner: string): Compilable<unknown> {
  return db
    .insertInto('owners')
    .values({ session, owner })
    .onConflict((conflict) => conflict.column('session').doNothing())
}

export async function findSession(
  engine: SqlEngine<StoreTables>,
  { id, credential = '' }: Pick<SessionKey, 'id' | 'credential'>,
): Promise<StoredSession | null> {
  const query = engine.db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('credential', '=', credential)
  const row = await engine.read(() => firstOf(query))
  return row === undefined ? null : sessionFrom(row)
}

export async function sessionsWith(
  engine: SqlEngine<StoreTables>,
  handles: readonly string[],
  most: number,
  of: SessionsOf | undefined,
): Promise<readonly StoredSession[]> {
  if (handles.length === 0) return []
  const query = engine.db
    .selectFrom('sessions')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('items')
          .select(({ fn, ref }) => [
            'items.session',
            fn.count<number>(ref('items.handle')).distinct().as('found'),
          ])
          .where('items.handle', 'in', handles)
          .groupBy('items.session')
          .as('holders'),
      (join) => join.onRef('holders.session', '=', 'sessions.number'),
    )
    .selectAll('sessions')
    .orderBy('holders.found', 'desc')
    .orderBy('sessions.used_at', 'desc')
    .orderBy('sessions.number', 'desc')
    .limit(most)
  const owned =
    of === undefined ? query : query.where('sessions.number', isAmong(of), ownedNumbers(engine, of))
  const rows = await engine.read(() => rowsOf(owned))
  return rows.map(sessionFrom)
}

/** With `ownedNumbers`: the owner's own sessions, or those of nobody. */
function isAmong({ owner }: SessionsOf): 'in' | 'not in' {
  return owner === null ? 'not in' : 'in'
}

function ownedNumbers({ db }: SqlEngine<StoreTables>, { owner }: SessionsOf) {
  const all = db.selectFrom('owners').select('owners.session')
  return owner === null ? all : all.where('owners.owner', '=', owner)
}

export async function listSessions(
  engine: SqlEngine<StoreTables>,
  of: SessionsOf | undefined,
): Promise<readonly SessionSummary[]> {
  const query = engine.db
    .selectFrom('sessions')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('items')
          .innerJoin('originals', 'originals.id', 'items.original')
          .select(({ fn, ref }) => [
            'items.session',
            fn.countAll<number>().as('items'),
            sql<number>`cast(sum(${ref('originals.characters')}) as bigint)`.as('characters'),
          ])
          // Here too, because a database adds up the items of all sessions before it leaves some out.
          .$if(of?.owner != null, (items) =>
            items.where('items.session', 'in', ownedNumbers(engine, { owner: of?.owner ?? null })),
          )
          .groupBy('items.session')
          .as('sums'),
      (join) => join.onRef('sums.session', '=', 'sessions.number'),
    )
    .selectAll('sessions')
    .select(['sums.items', 'sums.characters'])
    .orderBy('sessions.used_at', 'desc')
    .orderBy('sessions.number', 'desc')
  const owned =
    of === undefined ? query : query.where('sessions.number', isAmong(of), ownedNumbers(engine, of))
  const rows = await engine.read(() => rowsOf(owned))
  return rows.map((row) => ({
    ...sessionFrom(row),
    messages: row.messages,
    items: row.items ?? 0,
    characters: row.characters ?? 0,
  }))
}

/** How many sessions a query names one by one. */
const mostNamed = 500

export async function findOriginal(
  engine: StoreEngine,
  handle: string,
  among: StoredSession | readonly StoredSession[] | undefined,
): Promise<FoundOriginal> {
  return engine.read(() => findIn(engine, handle, among))
}

function* findIn(
  engine: StoreEngine,
  handle: string,
  among: StoredSession | readonly StoredSession[] | undefined,
): Steps<FoundOriginal> {
  const { db } = engine
  const query = db
    .selectFrom('items')
    .innerJoin('sessions', 'sessions.number', 'items.session')
    .selectAll('sessions')
    .select('items.original')
    .where('items.handle', '=', handle)
    .orderBy('sessions.used_at', 'desc')
    .orderBy('sessions.number', 'desc')
  const numbers = among === undefined ? null : new Set([among].flat().map(({ number }) => number))
  // Thousands of sessions may have a text that the asked ones have too.
  const isFew = numbers !== null && numbers.size > 0 && numbers.size <= mostNamed
  const all = yield* rowsOf(isFew ? query.where('items.session', 'in', [...numbers]) : query)
  const named = numbers === null ? all : all.filter(({ number }) => numbers.has(number))
  const [first] = named
  if (first === undefined) return { kind: 'absent' }
  if (named.some(({ original }) => original !== first.original)) {
    const sessions = new Map(named.map((row) => [row.number, sessionFrom(row)]))
    return { kind: 'ambiguous', sessions: [...sessions.values()] }
  }
  const reader = new BlockReader(engine)
  const original = yield* firstOf(
    db
      .selectFrom('originals')
      .select(['block', 'start', 'bytes', 'form'])
      .where('id', '=', first.original),
  )
  if (original === undefined) return { kind: 'absent' }
  yield* reader.fetch([original])
  return { kind: 'found', text: reader.text(original), session: sessionFrom(first) }
}
