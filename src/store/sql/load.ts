import type { Compilable, Kysely, Selectable } from 'kysely'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { LedgerEntry } from '../../core/words/ledger.ts'
import { finish, type Work } from '../../core/words/work.ts'
import type { Extent, LoadedSession, Receipt, StoredMessage, StoredSession } from '../store.ts'
import { type BlockBody, readBody, withTexts } from '../stored-json.ts'
import type { BlocksTable, SessionsTable, StoreTables } from '../tables.ts'
import { BlockReader, type Slice } from './block-reader.ts'
import type { StoreEngine } from './context.ts'
import { extentFrom, sessionFrom } from './rows.ts'
import { firstOf, rowsOf, type Steps } from './steps.ts'

/** The messages, entries and receipts of one append, without texts, and the session's extent after it. */
interface ReadBlock extends Extent {
  readonly body: BlockBody
}

/** Rows of a session as they are stored. */
interface StoredRows {
  readonly reader: BlockReader
  readonly blocks: readonly Selectable<BlocksTable>[]
}

export async function load(engine: StoreEngine, session: StoredSession): Promise<LoadedSession> {
  return finish(await loadInSteps(engine, session))
}

/** Reads the rows of a session at once. Unpacking them takes longer and can wait at each step. */
export async function loadInSteps(
  engine: StoreEngine,
  { number, id }: StoredSession,
): Promise<Work<LoadedSession>> {
  const { db } = engine
  const found = await engine.read(function* () {
    const row = yield* firstOf(db.selectFrom('sessions').selectAll().where('number', '=', number))
    if (row === undefined) {
      throw new PalimpsestError('store-absent', `the session ${id} was removed from the store`)
    }
    const statistics = yield* rowsOf(
      db
        .selectFrom('statistics')
        .select(['name', 'value'])
        .where('session', '=', number)
        .orderBy('name'),
    )
    const reader = new BlockReader(engine)
    const blocks = yield* rowsOf(blocksOf(db, number, 0))
    reader.hold(blocks)
    const items = yield* rowsOf(itemsOf(db, number, 0))
    yield* reader.read(items)
    return { row, statistics, reader, blocks, items }
  })
  return loadedFrom(found)
}

function* loadedFrom({
  row,
  statistics,
  items,
  ...stored
}: StoredRows & {
  readonly row: Selectable<SessionsTable>
  readonly statistics: readonly { readonly name: string; readonly value: number }[]
  readonly items: readonly StoredItem[]
}): Work<LoadedSession> {
  const blocks = yield* readBlocks(stored)
  const ledgers: LedgerEntry[][] = Array.from({ length: row.ledger + 1 }, () => [])
  for (const { ledger, body } of blocks) ledgers[ledger]?.push(...body.entries)
  return {
    session: sessionFrom(row),
    extent: extentFrom(row),
    messages: yield* messagesFrom(stored.reader, items, blocks, 0),
    ledger: ledgers.at(-1) ?? [],
    earlierLedgers: ledgers.slice(0, -1),
    head: row.head,
    statistics: Object.fromEntries(statistics.map(({ name, value }) => [name, value])),
  }
}

/** The messages and ledger entries of a session after a known extent. */
export function* readSince(
  engine: StoreEngine,
  session: number,
  known: Extent,
  newest: number,
): Steps<{ readonly messages: readonly StoredMessage[]; readonly entries: LedgerEntry[] }> {
  const { db } = engine
  const reader = new BlockReader(engine)
  const first = yield* firstOf(
    db
      .selectFrom('blocks')
      .select(['id', 'chain'])
      .where('session', '=', session)
      .where(({ or, eb }) =>
        or([
          eb('messages', '>', known.messages),
          eb('ledger', '>', known.ledger),
          eb('entries', '>', known.entries),
        ]),
      )
      .orderBy('id')
      .limit(1),
  )
  if (first === undefined) return { messages: [], entries: [] }
  const rows = yield* rowsOf(blocksOf(db, session, first.chain ?? first.id))
  reader.hold(rows)
  const items = yield* rowsOf(itemsOf(db, session, known.messages))
  yield* reader.read(items)
  const blocks = finish(readBlocks({ reader, blocks: rows }))
  const from = newest === known.ledger ? known.entries : 0
  const entries = blocks.flatMap((block) =>
    block.ledger === newest
      ? block.body.entries.slice(Math.max(0, from - (block.entries - block.body.entries.length)))
      : [],
  )
  return { messages: finish(messagesFrom(reader, items, blocks, known.messages)), entries }
}

export async function readReceipts(
  engine: StoreEngine,
  session: StoredSession,
): Promise<readonly Receipt[]> {
  return finish(await receiptsInSteps(engine, session))
}

export async function receiptsInSteps(
  engine: StoreEngine,
  { number }: StoredSession,
): Promise<Work<readonly Receipt[]>> {
  const { db } = engine
  const blocks = await engine.read(() => rowsOf(blocksOf(db, number, 0)))
  const reader = new BlockReader(engine)
  reader.hold(blocks)
  return receiptsFrom({ reader, blocks })
}

function* receiptsFrom(stored: StoredRows): Work<readonly Receipt[]> {
  return (yield* readBlocks(stored)).flatMap(({ body }) => body.receipts)
}

/** The blocks of a session from the first of a chain on. */
function blocksOf(
  db: Kysely<StoreTables>,
  session: number,
  first: number,
): Compilable<Selectable<BlocksTable>> {
  return db
    .selectFrom('blocks')
    .selectAll()
    .where('session', '=', session)
    .where('id', '>=', first)
    .orderBy('id')
}

/** Unpacks and parses blocks, without those that only have texts. */
function* readBlocks({ reader, blocks }: StoredRows): Work<readonly ReadBlock[]> {
  yield* reader.unpack()
  const found: ReadBlock[] = []
  for (const row of blocks) {
    yield
    const json = reader.content(row).toString('utf8', row.body_start)
    if (json !== '') found.push({ ...extentFrom(row), body: readBody(json) })
  }
  return found
}

interface StoredItem extends Slice {
  readonly message: number
  readonly handle: string
}

function itemsOf(
  db: Kysely<StoreTables>,
  session: number,
  fromMessage: number,
): Compilable<StoredItem> {
  return db
    .selectFrom('items')
    .innerJoin('originals', 'originals.id', 'items.original')
    .select(['items.message', 'items.handle'])
    .select(['originals.block', 'originals.start', 'originals.bytes', 'originals.form'])
    .where('items.session', '=', session)
    .where('items.message', '>=', fromMessage)
    .orderBy('items.message')
    .orderBy('items.ordinal')
}

function* messagesFrom(
  reader: BlockReader,
  items: readonly StoredItem[],
  blocks: readonly ReadBlock[],
  from: number,
): Work<readonly StoredMessage[]> {
  const messages: StoredMessage[] = []
  let next = 0
  for (const { messages: end, body } of blocks) {
    yield
    const start = end - body.messages.length
    for (const [offset, message] of body.messages.entries()) {
      if (start + offset < from) continue
      const texts: string[] = []
      const handles: string[] = []
      for (let item = items[next]; item?.message === start + offset; item = items[++next]) {
        texts.push(reader.text(item))
        handles.push(item.handle)
      }
      messages.push({ previous: message.previous, draft: withTexts(message, texts), handles })
    }
  }
  return messages
}
