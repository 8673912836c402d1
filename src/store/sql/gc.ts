import { type Compilable, type Kysely, sql } from 'kysely'
import type { GcLimits, GcOutcome, StoredSession } from '../store.ts'
import type { StoreTables } from '../tables.ts'
import { originalsLock } from './append.ts'
import type { StoreContext } from './context.ts'
import { removeSession } from './remove.ts'
import { sessionFrom } from './rows.ts'
import { firstOf, rowsOf, type Steps } from './steps.ts'

export async function forget(context: StoreContext, session: StoredSession): Promise<boolean> {
  const { engine } = context
  const isRemoved = await removeIfUnchanged(context, session, () => true)
  if (isRemoved !== null) await engine.reclaim()
  return isRemoved !== null
}

/**
 * Removes sessions above the limits, least recently used first, each in its own transaction. A session used meanwhile
 * stays. The size is measured after each one, because shared texts are only freed with their last session.
 */
export async function gc(context: StoreContext, limits: GcLimits): Promise<GcOutcome> {
  const { engine } = context
  const { usedBefore = -Infinity, largestBytes = Infinity, dryRun = false } = limits
  const bytesBefore = await engine.bytes()
  const contentBefore = await engine.read(() => contentBytes(engine.db))
  // Bytes on disk per byte of content, including pages and indexes.
  const factor = contentBefore === 0 ? 0 : bytesBefore / contentBefore
  const freed = dryRun
    ? await engine.read(() => freedBySession(engine.db))
    : new Map<number, Freed>()
  const removed: StoredSession[] = []
  let originals = 0
  let content = contentBefore
  for (const session of await engine.read(() => oldestFirst(engine.db))) {
    if (session.usedAt >= usedBefore && content * factor <= largestBytes) break
    if (dryRun) {
      const { bytes, originals: count } = freed.get(session.number) ?? { bytes: 0, originals: 0 }
      content -= bytes
      originals += count
    } else {
      const count = await removeIfUnchanged(
        context,
        session,
        ({ usedAt }) => usedAt === session.usedAt,
      )
      if (count === null) continue
      originals += count
      if (largestBytes < Infinity) content = await engine.read(() => contentBytes(engine.db))
    }
    removed.push(session)
  }
  if (dryRun || removed.length === 0) {
    const bytesAfter = removed.length === 0 ? bytesBefore : Math.round(content * factor)
    return { removed, originals, bytesBefore, bytesAfter }
  }
  await engine.reclaim()
  return { removed, originals, bytesBefore, bytesAfter: await engine.bytes() }
}

/** How many originals were removed with the session; null when it is gone already or was used since. */
async function removeIfUnchanged(
  context: StoreContext,
  { number }: StoredSession,
  mayGo: (session: StoredSession) => boolean,
): Promise<number | null> {
  const { engine } = context
  return engine.write(function* () {
    yield* engine.lock(originalsLock, 'exclusive')
    const row = yield* firstOf(
      engine.db.selectFrom('sessions').selectAll().where('number', '=', number),
    )
    if (row === undefined || !mayGo(sessionFrom(row))) return null
    return yield* removeSession(context, number)
  })
}

function* oldestFirst(db: Kysely<StoreTables>): Steps<readonly StoredSession[]> {
  const query = db.selectFrom('sessions').selectAll().orderBy('used_at').orderBy('number')
  return (yield* rowsOf(query)).map(sessionFrom)
}

function* contentBytes(db: Kysely<StoreTables>): Steps<number> {
  const row = yield* firstOf(
    db
      .selectFrom('blocks')
      .select(sql<number>`cast(coalesce(sum(length(data)), 0) as bigint)`.as('bytes')),
  )
  return row?.bytes ?? 0
}

interface Freed {
  readonly bytes: number
  readonly originals: number
}

/** Estimates what removing each session frees, in the order of last use. */
function* freedBySession(db: Kysely<StoreTables>): Steps<ReadonlyMap<number, Freed>> {
  const originals = new Map(
    (yield* rowsOf(lastUses(db))).map(({ session, count }) => [session, count]),
  )
  const blocks = yield* rowsOf(
    db
      .selectFrom('blocks')
      .select(['session', sql<number>`cast(sum(length(data)) as bigint)`.as('bytes')])
      .groupBy('session'),
  )
  return new Map(
    blocks.map(({ session, bytes }) => [
      session,
      { bytes, originals: originals.get(session) ?? 0 },
    ]),
  )
}

/** By session, how many originals are in no session that was used later. */
function lastUses(
  db: Kysely<StoreTables>,
): Compilable<{ readonly session: number; readonly count: number }> {
  return db
    .with('ranked', (cte) =>
      cte
        .selectFrom('sessions')
        .select(['number', sql<number>`row_number() over (order by used_at, number)`.as('place')]),
    )
    .with('last_use', (cte) =>
      cte
        .selectFrom('items')
        .innerJoin('ranked', 'ranked.number', 'items.session')
        .select(({ fn }) => ['items.original', fn.max('ranked.place').as('place')])
        .groupBy('items.original'),
    )
    .selectFrom('last_use')
    .innerJoin('ranked', 'ranked.place', 'last_use.place')
    .select(({ fn }) => ['ranked.number as session', fn.countAll<number>().as('count')])
    .groupBy('ranked.number')
}
