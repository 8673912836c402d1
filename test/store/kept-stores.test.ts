import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { openLog } from '../../src/memory/log/open-log.ts'
import { Memory } from '../../src/memory/memory.ts'
import { itemsAsOf } from '../../src/memory/state/as-of.ts'
import { checkState } from '../../src/memory/state/check.ts'
import { openStore, type StoreLocation } from '../../src/store/index.ts'
import { loadSqlite } from '../../src/store/sqlite/driver.ts'
import { type PostgresServer, sharedPostgres } from './postgres.ts'
import { entry, say } from './told.ts'

const fixture = (name: string): string => path.join(import.meta.dirname, 'fixtures', name)

async function openMemory(location: StoreLocation): Promise<Memory> {
  let names = 100
  const log = await openLog(location)
  return new Memory({ log, now: Date.now, newId: (kind) => `${kind}_${++names}` })
}

const values = (memory: Memory): readonly string[] =>
  itemsAsOf(memory.state, Date.now()).map(({ item }) => item.value ?? item.text)

/** The fixtures were written by version 0.1: one session of three messages, and a memory with one item forgotten. */
function opensUnchanged(place: () => Promise<StoreLocation>): void {
  it('has its session', async () => {
    const migrated: unknown[] = []
    const store = await openStore(await place(), { onMigrated: (done) => migrated.push(done) })
    expect(migrated).toEqual([])
    expect(await store.check()).toEqual([])
    const [summary] = await store.sessions()
    expect(summary).toMatchObject({ id: 'kept', credential: 'salted', folder: '/home/shop' })
    const loaded = await store.load(summary!)
    expect({ ...loaded, session: null }).toEqual({
      session: null,
      extent: { messages: 3, ledger: 0, entries: 2 },
      messages: [
        { previous: null, draft: say('hello'), handles: ['aaaaaa'] },
        {
          previous: 0,
          draft: say('a longer text that compresses, '.repeat(20)),
          handles: ['bbbbbb'],
        },
        { previous: 0, draft: say('hello again'), handles: ['cccccc'] },
      ],
      ledger: [entry(0), entry(1)],
      earlierLedgers: [],
      head: 2,
      statistics: { requests: 2, tokensBefore: 100, tokensAfter: 60 },
    })
    expect(await store.receipts(summary!)).toEqual([{ turn: 1 }, { turn: 2 }])
    await store.close()
  })

  it('has its memory, and takes more', async () => {
    const location = await place()
    const memory = await openMemory(location)
    expect(values(memory)).toEqual(['Zed', 'Use SQLite'])
    expect([...memory.state.items.keys()]).toEqual(['preference_2', 'preference_4', 'decision_8'])
    expect([...memory.state.tombstones.keys()]).toEqual(['fact_6'])
    expect(checkState(memory.state, Date.now())).toEqual([])
    const editor = { kind: 'preference', category: 'tooling', attribute: 'editor' } as const
    memory.add({ ...editor, text: 'editor: Helix', value: 'Helix' })
    await memory.save()
    memory.forget(['decision_8'])
    await memory.save()
    memory.close()
    const again = await openMemory(location)
    expect(values(again)).toEqual(['Helix'])
    again.close()
  })
}

describe('a file of version 0.1', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest kept '))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let made = 0
  const place = async (): Promise<StoreLocation & { readonly kind: 'sqlite' }> => {
    const file = path.join(folder, `${++made}.db`)
    writeFileSync(file, gunzipSync(readFileSync(fixture('store-0.1.db.gz'))))
    return { kind: 'sqlite', path: file }
  }
  opensUnchanged(place)

  it('has the tables that are made today but those of teams, so that version 0.1 can open new stores too', async () => {
    const ofTeams = `('claims', 'owners', 'tokens')`
    const tables = async (location: { readonly path: string }): Promise<unknown> => {
      const database = (await loadSqlite())(location.path)
      const rows = database
        .prepare(
          `select t.name as "table", c.name, c.type, c."notnull", c.dflt_value, c.pk
            from sqlite_master t, pragma_table_xinfo(t.name) c
            where t.type = 'table' and t.name not in ${ofTeams} order by 1, c.cid`,
        )
        .all()
      const indexes = database
        .prepare(
          `select tbl_name, name from sqlite_master where type = 'index' and tbl_name not in ${ofTeams} order by 1, 2`,
        )
        .all()
      database.close()
      return [rows, indexes]
    }
    const fresh = { kind: 'sqlite', path: path.join(folder, 'fresh.db') } as const
    ;(await openMemory(fresh)).close()
    await (await openStore(fresh)).close()
    expect(await tables(fresh)).toEqual(await tables(await place()))
  })
})

describe.skipIf(postgresFolder() === null)('a PostgreSQL store of version 0.1', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await sharedPostgres()
  }, 60_000)
  opensUnchanged(async () => {
    const url = await server.database()
    await server.query(readFileSync(fixture('store-0.1.sql'), 'utf8'), url)
    return { kind: 'postgres', url }
  })
})
