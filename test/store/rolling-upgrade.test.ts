import { describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { openStore } from '../../src/store/index.ts'
import { migrate, newestVersion } from '../../src/store/migrate.ts'
import { openEngine } from '../../src/store/open-store.ts'
import { migrations } from '../../src/store/schema/index.ts'
import type { Migration } from '../../src/store/schema/migration.ts'
import { createContext } from '../../src/store/sql/context.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import { rowsOf } from '../../src/store/sql/steps.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoreTables } from '../../src/store/tables.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { paths, storyBodies } from '../gateway/story.ts'
import { sharedPostgres } from './postgres.ts'

const newest = newestVersion('sessions')

/** What the next version might add. */
const added: Migration = {
  part: 'sessions',
  version: newest + 1,
  worksFrom: newest,
  *up(db) {
    yield* rowsOf(db.schema.alterTable('sessions').addColumn('team', 'text'))
    yield* rowsOf(db.schema.createIndex('sessions_team').on('sessions').column('team'))
  },
}

async function openNext(url: string, step: Migration): Promise<Store> {
  const engine = await openEngine<StoreTables>({ kind: 'postgres', url })
  await migrate(engine, 'sessions', [...migrations, step])
  return createSqlStore(createContext(engine), Date.now)
}

describe.skipIf(postgresFolder() === null)(
  'gateways of this version and the next [npm test -- --all installs PostgreSQL]',
  () => {
    it('serve one session together, and this version may start again meanwhile', async () => {
      const server = await sharedPostgres()
      const url = await server.database()
      const alone = await startSetting()
      const bodies = storyBodies('anthropic', { turns: 24 })
      const headers = { 'x-api-key': 'sk-one', 'x-session-id': 'upgraded' }
      const expected: string[] = []
      for (const body of bodies) expected.push(await sentBy(alone, body, headers))
      await alone.stop()

      const stores = [await openStore({ kind: 'postgres', url })]
      const settings = [await startSetting({ store: stores[0] as Store })]
      const add = async (store: Store): Promise<void> => {
        stores.push(store)
        settings.push(await startSetting({ store }))
      }
      const arrived: string[] = []
      for (const [at, body] of bodies.entries()) {
        if (at === 8) await add(await openNext(url, added))
        if (at === 16) await add(await openStore({ kind: 'postgres', url }))
        arrived.push(await sentBy(settings[at % settings.length] as Setting, body, headers))
      }
      expect(arrived).toEqual(expected)
      expect(arrived.at(-1)?.length).toBeLessThan((bodies.at(-1)?.length ?? 0) / 2)
      expect(await stores[0]?.check()).toEqual([])
      for (const setting of settings) {
        expect(setting.faults).toEqual([])
        await setting.stop()
      }
      for (const store of stores) await store.close()
    })

    it('refuse each other when the step says that they cannot work together', async () => {
      const server = await sharedPostgres()
      const url = await server.database()
      const { worksFrom: _, ...breaking } = added
      await (await openNext(url, breaking)).close()
      await expect(openStore({ kind: 'postgres', url })).rejects.toMatchObject({
        code: 'store-version',
      })
    })
  },
)

async function sentBy(
  setting: Setting,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const reply = await setting.post(paths.anthropic, body, headers)
  expect(reply.headers['x-palimpsest']).not.toContain('bypass')
  return String(setting.upstream.received.at(-1)?.body)
}
