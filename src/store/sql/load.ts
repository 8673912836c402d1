import type { Kysely } from 'kysely'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { LedgerEntry } from '../../core/words/ledger.ts'
import type { Extent, LoadedSession, Receipt, StoredMessage, StoredSession } from '../store.ts'
import { type BlockBody, readBody, withTexts } from '../stored-json.ts'
import type { StoreTables } from '../tables.ts'
import { BlockReader } from './block-reader.ts'
import type { SqlEngine } from './engine.ts'
import { extentFrom, sessionFrom } from './rows.ts'
import { firstOf, rowsOf, type Steps } from './steps.ts'

/** The messages, entries and receipts of one append, without texts, and the session's extent after it. */
interface ReadBlock extends Extent {
  readonly body: BlockBody
}

export async function load(
  engine: SqlEngine<StoreTables>,
  { number, id }: StoredSession,
): Promise<LoadedSession> {
  const { db } = engine
  return engine.read(function* () {
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
    const reader = new BlockReader(db)
    const blocks = yield* readBlocks(db, reader, number, 0)
    const ledgers: LedgerEntry[][] = Array.from({ length: row.ledger + 1 }, () => [])
    for (const { ledger, body } of blocks) ledgers[ledger]?.push(...body.entries)
    return {
      session: sessionFrom(row),
      extent: extentFrom(row),
      messages: yield* messagesFrom(db, reader, number, blocks, 0),
      ledger: ledgers.at(-1) ?? [],
      earlierLedgers: ledgers.slice(0, -1),
      head: row.head,
      statistics: Object.fromEntries(statistics.map(({ name, value }) => [name, value])),
    }
  })
}

/** The messages and ledger entries of a session after a known extent. */
export function* readSince(
  db: Kysely<StoreTables>,
  session: number,
  known: Extent,
  newest: number,
): Steps<{ readonly messages: readonly StoredMessage[]; readonly entries: LedgerEntry[] }> {
  const reader = new BlockReader(db)
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
  const blocks = yield* readBlocks(db, reader, session, first.chain ?? first.id)
  const from = newest === known.ledger ? known.entries : 0
  const entries = blocks.flatMap((block) =>
    block.ledger === newest
      ? block.body.entries.slice(Math.max(0, from - (block.entries - block.body.entries.length)))
      : [],
  )
  return { messages: yield* messagesFrom(db, reader, session, blocks, known.messages), entries }
}

export async function readReceipts(
  engine: SqlEngine<StoreTables>,
  { number }: StoredSession,
): Promise<readonly Receipt[]> {
  const { db } = engine
  return engine.read(function* () {
    const blocks = yield* readBlocks(db, new BlockReader(db), number, 0)
    return blocks.flatMap(({ body }) => body.receipts)
  })
}

/** The blocks of a session from the first of a chain on, without those that only have texts. */
function* readBlocks(
  db: Kysely<StoreTables>,
  reader: BlockReader,
  session: number,
  first: number,
): Steps<readonly ReadBlock[]> {
  const rows = yield* rowsOf(
    db
      .selectFrom('blocks')
      .selectAll()
      .where('session', '=', session)
      .where('id', '>=', first)
      .orderBy('id'),
  )
  const contents = reader.take(rows)
  return rows.flatMap((row, at) => {
    const json = contents[at]?.toString('utf8', row.body_start) ?? ''
    return json === '' ? [] : [{ ...extentFrom(row), body: readBody(json) }]
  })
}

function* messagesFrom(
  db: Kysely<StoreTables>,
  reader: BlockReader,
  session: number,
  blocks: readonly ReadBlock[],
  from: number,
): Steps<readonly StoredMessage[]> {
  const items = yield* rowsOf(
    db
      .selectFrom('items')
      .innerJoin('originals', 'originals.id', 'items.original')
      .select(['items.message', 'items.handle'])
      .select(['originals.block', 'originals.start', 'originals.bytes', 'originals.form'])
      .where('items.session', '=', session)
      .where('items.message', '>=', from)
      .orderBy('items.message')
      .orderBy('items.ordinal'),
  )
  yield* reader.fetch(items)
  const messages: StoredMessage[] = []
  let next = 0
  for (const { messages: end, body } of blocks) {
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
