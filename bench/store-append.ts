import { hash } from 'node:crypto'
import path from 'node:path'
import { createRecord } from '../src/core/record/record.ts'
import type { MessageDraft } from '../src/core/words/item.ts'
import type { LedgerEntry } from '../src/core/words/ledger.ts'
import { addedMessages, openStore, type StoredMessage } from '../src/store/index.ts'
import { configureSqlite } from '../src/store/sqlite/connection.ts'
import { loadSqlite, type SqliteDatabase, type SqliteValue } from '../src/store/sqlite/driver.ts'
import type { BenchRow } from './bench-row.ts'

const itemsBefore = 5000

interface Turn {
  readonly messages: readonly StoredMessage[]
  readonly entries: readonly LedgerEntry[]
  readonly receipt: Readonly<Record<string, unknown>>
}

/**
 * One more turn on a session of 5,000 items, compared with raw inserts of the same rows: the same bytes, tables, keys and
 * durability, with prepared statements, but without hashing, compression and decisions.
 */
export async function appendRow(folder: string, turns: number): Promise<BenchRow> {
  const before = Math.ceil(itemsBefore / 3)
  const told = tellTurns(before + turns)
  const file = path.join(folder, 'append.db')
  const store = await openStore({ kind: 'sqlite', path: file })
  const session = await store.openSession({ id: 'long', origin: 'bench' })
  const open = await loadSqlite()
  const raw = await createRaw(path.join(folder, 'raw.db'), open(file))
  const plain = createPlain(open(path.join(folder, 'plain.db')))
  let expected = { messages: 0, ledger: 0, entries: 0 }
  const storing: number[] = []
  const inserting: number[] = []
  const keeping: number[] = []
  for (let at = 0; at < told.length; at += turnsInARow) {
    const batch = told.slice(at, at + turnsInARow)
    const isMeasured = at >= before
    for (const { messages, entries, receipt } of batch) {
      const start = performance.now()
      const addition = { expected, messages, entries, receipts: [receipt] }
      const outcome = await store.append(session, addition)
      if (isMeasured) storing.push(performance.now() - start)
      if (outcome.kind !== 'done') throw new Error(outcome.kind)
      expected = outcome.extent
    }
    for (const rows of raw.written()) {
      const start = performance.now()
      raw.insert(rows)
      if (isMeasured) inserting.push(performance.now() - start)
    }
    for (const turn of batch) {
      const start = performance.now()
      plain.insert(turn)
      if (isMeasured) keeping.push(performance.now() - start)
    }
  }
  await store.close()
  raw.close()
  plain.close()
  const own = undisturbed(storing)
  const equal = undisturbed(inserting)
  const other = undisturbed(keeping)
  const microseconds = (time: number): string => `${(time * 1000).toFixed(0)} µs`
  return {
    name: 'append of a turn at 5,000 items / equal raw inserts',
    ratio: own / equal,
    limit: 3,
    better: 'below',
    note: `of ${turns} turns: ${microseconds(own)}, the same rows inserted raw ${microseconds(equal)}; a plain program with uncompressed texts and fewer keys ${microseconds(other)} (${(own / other).toFixed(2)})`,
  }
}

/** Each side runs this many turns before the other. */
const turnsInARow = 50

/** A thought, a call and its result in every turn, the result about 2 kB of source that was not seen before. */
function tellTurns(count: number): readonly Turn[] {
  const record = createRecord()
  const drafts: MessageDraft[] = []
  let anchor = { branch: 0, length: 0 }
  return Array.from({ length: count }, (_, turn) => {
    const id = `toolu_${String(turn).padStart(20, '0')}`
    const lines = Array.from(
      { length: 40 },
      (_, line) =>
        `  const value${turn}_${line} = compute(${(turn * 31 + line * 17) % 997}, other)`,
    )
    drafts.push(
      {
        role: 'assistant',
        id: `msg_${turn}`,
        model: 'some-model',
        items: [
          { kind: 'text', text: `Now I look at file ${turn} to see what compute is given there.` },
          { kind: 'call', tool: 'Read', call: id, text: `{"file_path":"/app/src/${turn}.ts"}` },
        ],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool: 'Read', call: id, status: 'ok', text: lines.join('\n') }],
      },
    )
    const known = record.messages.length
    anchor = record.append(drafts, anchor).anchor
    return {
      messages: addedMessages(record, anchor, known),
      entries: [entryOf(turn)],
      receipt: { turn, usage: { input: 1000 + turn, output: 50 }, saved: turn * 3 },
    }
  })
}

function entryOf(turn: number): LedgerEntry {
  return {
    kind: 'decision',
    item: turn,
    handle: turn.toString(16).padStart(6, '0'),
    rendition: { how: 'superseded', text: `[read src/${turn}.ts · replaced by edit at turn 9]` },
    reason: 'file',
    strategy: 'files',
    by: null,
    turn,
  }
}

type Row = readonly SqliteValue[]

/** What one append wrote. */
interface TurnRows {
  readonly blocks: readonly Row[]
  readonly originals: readonly Row[]
  readonly items: readonly Row[]
  readonly state: Row
}

/** A second store that gets the rows of the first, turn by turn. */
async function createRaw(
  file: string,
  source: SqliteDatabase,
): Promise<{ written(): readonly TurnRows[]; insert(rows: TurnRows): void; close(): void }> {
  const store = await openStore({ kind: 'sqlite', path: file })
  await store.openSession({ id: 'long', origin: 'bench' })
  await store.close()
  const database = (await loadSqlite())(file)
  configureSqlite(database)
  const prepared = (sql: string) => {
    const statement = database.prepare(sql)
    return (row: Row = []): unknown => statement.all(...row)
  }
  const begin = prepared('begin immediate')
  const block = prepared('insert into blocks values (?, ?, ?, ?, ?, ?, ?, ?)')
  const original = prepared('insert into originals values (?, ?, ?, ?, ?, ?, ?)')
  const item = prepared('insert into items values (?, ?, ?, ?, ?)')
  const state = prepared(
    'update sessions set messages = ?, ledger = ?, entries = ?, receipts = ?, head = ?, last_block = ?, used_at = ? where number = 1',
  )
  const commit = prepared('commit')
  const rowsOf = (sql: string, ...values: Row): readonly Row[] =>
    source
      .prepare(sql)
      .all(...values)
      .map((row) => Object.values(row as object))
  let known = { block: 0, message: 0 }
  return {
    written() {
      const blocks = rowsOf('select * from blocks where id > ? order by id', known.block)
      const turns = blocks.map((row): TurnRows => {
        const [id = 0, , , , messages = 0, ledger = 0, entries = 0] = row
        const from = known.message
        known = { block: Number(id), message: Number(messages) }
        return {
          blocks: [row],
          originals: rowsOf('select * from originals where block = ? order by hash', id),
          items: rowsOf('select * from items where message >= ? and message < ?', from, messages),
          state: [messages, ledger, entries, 1, known.message - 1, id, Date.now()],
        }
      })
      return turns
    },
    insert(rows) {
      begin()
      for (const row of rows.blocks) block(row)
      for (const row of rows.originals) original(row)
      for (const row of rows.items) item(row)
      state(rows.state)
      commit()
    },
    close() {
      database.close()
      source.close()
    },
  }
}

/**
 * What a plain program would write: rows for messages, entries and receipts, each text once by its hash, items by handle,
 * and the session's state, uncompressed, with prepared statements, in one transaction. It cannot find unused texts and
 * takes several times the space.
 */
function createPlain(database: SqliteDatabase): { insert(turn: Turn): void; close(): void } {
  database.prepare('pragma journal_mode = wal').all()
  database.exec('pragma synchronous = normal')
  for (const table of [
    'sessions (number integer primary key, messages int, entries int)',
    'messages (session int, position int, body text, primary key (session, position))',
    'originals (id integer primary key, hash blob unique, text text)',
    'items (session int, message int, ordinal int, handle text, original int)',
    'entries (session int, position int, body text, primary key (session, position))',
    'receipts (session int, position int, body text, primary key (session, position))',
  ]) {
    database.exec(`create table ${table}`)
  }
  database.exec('create index items_handle on items (handle)')
  database.exec('insert into sessions values (1, 0, 0)')
  const run = (sql: string): ((...values: (string | number | Uint8Array)[]) => unknown) => {
    const statement = database.prepare(sql)
    return (...values) => statement.all(...values)
  }
  const begin = run('begin immediate')
  const message = run('insert into messages values (1, ?, ?)')
  const original = run('insert into originals (hash, text) values (?, ?) on conflict do nothing')
  const item = run('insert into items values (1, ?, ?, ?, last_insert_rowid())')
  const entry = run('insert into entries values (1, ?, ?)')
  const receipt = run('insert into receipts values (1, ?, ?)')
  const state = run('update sessions set messages = ?, entries = ? where number = 1')
  const commit = run('commit')
  let messages = 0
  let entries = 0
  let receipts = 0
  return {
    insert(turn) {
      begin()
      for (const { draft, handles } of turn.messages) {
        const items = draft.items.map(({ text: _, ...rest }) => rest)
        message(messages, JSON.stringify({ ...draft, items }))
        for (const [ordinal, { text }] of draft.items.entries()) {
          original(hash('sha256', text, 'buffer'), text)
          item(messages, ordinal, handles[ordinal] ?? '')
        }
        messages++
      }
      for (const each of turn.entries) entry(entries++, JSON.stringify(each))
      receipt(receipts++, JSON.stringify(turn.receipt))
      state(messages, entries)
      commit()
    },
    close: () => database.close(),
  }
}

/** The 10th percentile, because other programs slow single runs. */
function undisturbed(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN
}
