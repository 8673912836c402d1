import { PalimpsestError } from '../core/words/errors.ts'
import type { StoreLocation } from './location.ts'
import { migrate } from './migrate.ts'
import { openEngine } from './open-store.ts'
import { openSealing } from './seal-row.ts'
import { Sealing } from './sealing.ts'
import { originalsLock } from './sql/append.ts'
import { BlockReader } from './sql/block-reader.ts'
import type { StoreEngine } from './sql/context.ts'
import type { SqlEngine } from './sql/engine.ts'
import { firstOf, rowsOf, type Steps } from './sql/steps.ts'
import type { MemoryTables, OriginalsTable, StoreTables } from './tables.ts'
import { bytesOf } from './text-bytes.ts'

/** How much was not encrypted yet. */
export interface Encrypted {
  readonly blocks: number
  readonly originals: number
  readonly events: number
}

const rowsPerStep = 200

/**
 * Encrypts what a store has from before it got its key, a few rows at a time, so that others can use it meanwhile. After an
 * interruption, the next call continues.
 */
export async function encryptStore(
  location: Exclude<StoreLocation, { readonly kind: 'memory' }>,
): Promise<Encrypted> {
  if (location.key === undefined)
    throw new PalimpsestError(
      'usage',
      'there is no key to encrypt with: put one into a file with `openssl rand -hex 32`, and name it as encryption.keyFile in your configuration, or set PALIMPSEST_KEY',
    )
  const opened = await openEngine<StoreTables & MemoryTables>(location)
  try {
    for (const part of ['sessions', 'team', 'memory'] as const) await migrate(opened, part)
    const sealing = await openSealing(opened, location.key)
    const engine = { ...opened, sealing } as unknown as StoreEngine
    const originals = await inSteps((after) =>
      engine.write(function* () {
        yield* engine.lock(originalsLock, 'exclusive')
        return yield* sealOriginals(engine, after)
      }),
    )
    const blocks = await inSteps((after) =>
      engine.write(function* () {
        yield* engine.lock(originalsLock, 'exclusive')
        return yield* sealBlocks(engine, after)
      }),
    )
    const tables = await memoryTables(opened)
    let events = 0
    for (const table of tables)
      events += await inSteps((after) =>
        opened.write(() => sealEvents(opened, sealing, table, after)),
      )
    if (blocks + originals + events > 0) await scrub(opened, tables)
    return { blocks, originals, events }
  } catch (error) {
    throw opened.explain(error) ?? error
  } finally {
    await opened.close()
  }
}

interface Step {
  readonly changed: number
  /** The last row; null when there are no more. */
  readonly last: number | null
}

async function inSteps(step: (after: number) => Promise<Step>): Promise<number> {
  let changed = 0
  for (let after: number | null = 0; after !== null; ) {
    const done: Step = await step(after)
    changed += done.changed
    after = done.last
  }
  return changed
}

function lastOf(rows: readonly { readonly id: number }[]): number | null {
  return rows.length < rowsPerStep ? null : (rows.at(-1)?.id ?? null)
}

/** Gives originals the hash that only the key can make. */
function* sealOriginals(engine: StoreEngine, after: number): Steps<Step> {
  const query = engine.db.selectFrom('originals').selectAll().where('id', '>', after)
  const rows = yield* rowsOf(query.orderBy('id').limit(rowsPerStep))
  const reader = new BlockReader(engine)
  yield* reader.fetch(rows)
  let changed = 0
  for (const row of rows) {
    const hash = engine.sealing.hash(bytesOf(reader.text(row)))
    if (hash.equals(row.hash)) continue
    yield* rehash(engine, row.id, hash)
    changed++
  }
  return { changed, last: lastOf(rows) }
}

function* rehash({ db }: StoreEngine, id: number, hash: OriginalsTable['hash']): Steps<void> {
  const known = yield* firstOf(db.selectFrom('originals').select('id').where('hash', '=', hash))
  if (known === undefined) {
    yield* rowsOf(db.updateTable('originals').set({ hash }).where('id', '=', id))
    return
  }
  // The text was stored again after the store got its key.
  yield* rowsOf(db.updateTable('items').set({ original: known.id }).where('original', '=', id))
  yield* rowsOf(db.deleteFrom('originals').where('id', '=', id))
}

function* sealBlocks({ db, sealing }: StoreEngine, after: number): Steps<Step> {
  const query = db.selectFrom('blocks').select(['id', 'data']).where('id', '>', after)
  const rows = yield* rowsOf(query.orderBy('id').limit(rowsPerStep))
  const open = rows.filter(({ data }) => !Sealing.isSealed(data))
  for (const { id, data } of open)
    yield* rowsOf(
      db
        .updateTable('blocks')
        .set({ data: sealing.seal(data) })
        .where('id', '=', id),
    )
  return { changed: open.length, last: lastOf(rows) }
}

type EventTable = 'memory_events' | 'own_memory_events'

function* sealEvents(
  { db }: SqlEngine<StoreTables & MemoryTables>,
  sealing: Sealing,
  table: EventTable,
  after: number,
): Steps<Step> {
  const query = db
    .selectFrom(table)
    .select(['sequence as id', 'body'])
    .where('sequence', '>', after)
  const rows = yield* rowsOf(query.orderBy('sequence').limit(rowsPerStep))
  const open = rows.filter(({ body }) => !Sealing.isSealedText(body))
  for (const { id, body } of open)
    yield* rowsOf(
      db
        .updateTable(table)
        .set({ body: sealing.sealText(body) })
        .where('sequence', '=', id),
    )
  return { changed: open.length, last: lastOf(rows) }
}

async function memoryTables(
  engine: SqlEngine<StoreTables & MemoryTables>,
): Promise<readonly EventTable[]> {
  const isThere = await engine.read(() => engine.hasTable('own_memory_events'))
  return isThere ? ['memory_events', 'own_memory_events'] : ['memory_events']
}

/** Removes the plain texts from the files too. */
async function scrub(
  engine: SqlEngine<StoreTables & MemoryTables>,
  tables: readonly EventTable[],
): Promise<void> {
  await engine.reclaim(['blocks', 'originals', ...tables])
}
