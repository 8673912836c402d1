import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { openStore, type StoreLocation } from '../../src/store/index.ts'
import { migrate, newestVersion } from '../../src/store/migrate.ts'
import { openEngine } from '../../src/store/open-store.ts'
import { migrations as steps } from '../../src/store/schema/index.ts'
import { fillVersion1, version1Content } from './earlier-schemas.ts'
import { type PostgresServer, sharedPostgres } from './postgres.ts'

type Location = Exclude<StoreLocation, { kind: 'memory' }>

const newest = newestVersion('sessions')

/** A store as a version of Palimpsest with that schema would have left it. */
async function storeOf(version: number, location: Location): Promise<void> {
  const engine = await openEngine(location)
  const early = steps.filter((step) => step.version <= version)
  await migrate(engine, 'sessions', early)
  if (version === 1) await fillVersion1(engine)
  await engine.close()
}

async function setVersion(location: Location, version: number): Promise<void> {
  const engine = await openEngine<{ palimpsest_schema: { part: string; version: number } }>(
    location,
  )
  const query = engine.db
    .updateTable('palimpsest_schema')
    .set({ version })
    .where('part', '=', 'sessions')
  await engine.write(function* () {
    yield query.compile()
  })
  await engine.close()
}

function migrations(emptyPlace: () => Promise<Location>): void {
  it('gives a new store the newest schema', async () => {
    const seen: unknown[] = []
    const location = await emptyPlace()
    const onMigrated = (migrated: unknown): void => void seen.push(migrated)
    await (await openStore(location, { onMigrated })).close()
    await (await openStore(location, { onMigrated })).close()
    expect(seen).toEqual([{ from: 0, to: newest }])
  })

  it('brings a store of schema 1 to the newest, with all that it had', async () => {
    const location = await emptyPlace()
    await storeOf(1, location)
    const seen: unknown[] = []
    const store = await openStore(location, { onMigrated: (migrated) => seen.push(migrated) })
    expect(seen).toEqual([{ from: 1, to: newest }])
    expect(await store.check()).toEqual([])
    const session = await store.openSession({ id: 'early', origin: 'other' })
    const loaded = await store.load(session)
    const { messages, ledger } = version1Content
    expect({ ...loaded, session: null }).toEqual({
      session: null,
      extent: { messages: messages.length, ledger: 0, entries: ledger.length },
      messages,
      ledger,
      earlierLedgers: [],
      head: messages.length - 1,
      statistics: {},
    })
    expect(loaded.session.origin).toBe('test')
    const outcome = await store.append(session, {
      expected: loaded.extent,
      messages: [{ ...messages[0]!, previous: null }],
      receipts: [{ turn: 1 }],
      statistics: { requests: 1 },
    })
    expect(outcome.kind).toBe('done')
    expect(await store.receipts(session)).toEqual([{ turn: 1 }])
    await store.close()
  })

  it('is done once when several open an old store at the same time', async () => {
    const location = await emptyPlace()
    await storeOf(1, location)
    const seen: unknown[] = []
    const stores = await Promise.all(
      [1, 2, 3, 4].map(() => openStore(location, { onMigrated: ({ from }) => seen.push(from) })),
    )
    expect(seen.filter((from) => from === 1)).toEqual([1])
    expect(await stores[3]!.check()).toEqual([])
    for (const store of stores) await store.close()
  })

  it('refuses a store that is newer than it knows', async () => {
    const location = await emptyPlace()
    await (await openStore(location)).close()
    await setVersion(location, newest + 1)
    await expect(openStore(location)).rejects.toMatchObject({
      code: 'store-version',
      message: expect.stringContaining(`schema ${newest + 1}`),
    })
    await setVersion(location, newest)
    await (await openStore(location)).close()
  })

  it('leaves an older store as it is when told so', async () => {
    const location = await emptyPlace()
    await storeOf(1, location)
    const refused = openStore(location, { older: 'refuse' })
    await expect(refused).rejects.toMatchObject({ code: 'store-version' })
    const seen: unknown[] = []
    await (await openStore(location, { onMigrated: ({ from }) => seen.push(from) })).close()
    expect(seen).toEqual([1])
  })
}

describe('migrations of a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-migrations-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let made = 0
  migrations(async () => ({ kind: 'sqlite', path: path.join(folder, `${++made}.db`) }))

  it('changes no byte of a file that it refuses', async () => {
    const file = path.join(folder, 'refused.db')
    await (await openStore({ kind: 'sqlite', path: file })).close()
    await setVersion({ kind: 'sqlite', path: file }, newest + 1)
    copyFileSync(file, `${file}.before`)
    await expect(openStore({ kind: 'sqlite', path: file })).rejects.toThrow()
    expect(readFileSync(file).equals(readFileSync(`${file}.before`))).toBe(true)
  })
})

describe.skipIf(postgresFolder() === null)(
  'migrations in PostgreSQL [npm test -- --all installs it]',
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await sharedPostgres()
    }, 60_000)
    migrations(async () => ({ kind: 'postgres', url: await server.database() }))
  },
)
