import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { createSessionWriter, openStore } from '../../src/store/index.ts'
import { canMount } from './mounting.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { historyOf, newEngine, resumedEngine } from './scripted-session.ts'

describe.skipIf(postgresFolder() === null || !canMount)(
  'a server whose disk is full [npm test -- --all installs it; needs unshare]',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-full-'))
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres({ path: folder, megabytes: 16 })
      await server.query(`create tablespace narrow location '${folder}'`)
    }, 60_000)
    afterAll(async () => {
      await server?.end()
      rmSync(folder, { recursive: true, force: true })
    })

    it('says so, has what it acknowledged, and takes the rest when there is room', async () => {
      const url = await server.database('tablespace narrow')
      const store = await openStore({ kind: 'postgres', url })
      const loaded = await store.load(await store.openSession({ id: 'full', origin: 'test' }))
      const engine = newEngine('full')
      const writer = createSessionWriter(store, loaded)
      const request = (turns: number): void => {
        const made = engine.request(historyOf('full', turns))
        // A receipt that neither compresses nor fits into the room that tables keep for more.
        writer.note(engine, made, { receipts: [{ noise: noise(turns) }] })
      }
      request(1)
      expect((await writer.flush()).kind).toBe('done')
      await fillUp(server, url)
      let acknowledged = 1
      let error: unknown
      for (let turns = 2; error === undefined && turns < 50; turns++) {
        request(turns)
        error = await writer.flush().then(
          () => undefined,
          (reason: unknown) => reason,
        )
        if (error === undefined) acknowledged = turns
      }
      expect(error).toMatchObject({
        code: 'store-full',
        message: expect.not.stringMatching(/:\w+@/),
      })
      // The session goes on without it, and can still read.
      request(50)
      await expect(writer.flush()).rejects.toMatchObject({ code: 'store-full' })
      const kept = await store.load(loaded.session)
      expect(kept.messages.map(({ draft }) => draft)).toEqual(historyOf('full', acknowledged))

      await server.query('drop table ballast', url)
      request(51)
      expect((await writer.flush()).kind).toBe('done')
      const after = await store.load(loaded.session)
      expect(after.messages.map(({ draft }) => draft)).toEqual(historyOf('full', 51))
      const next = historyOf('full', 52)
      expect(resumedEngine(after).request(next).changes).toEqual(engine.request(next).changes)
      expect(await store.check()).toEqual([])
      await store.close()
    }, 60_000)
  },
)

/** Leaves no page to anybody else. */
async function fillUp(server: PostgresServer, url: string): Promise<void> {
  await server.query('create table ballast (bytes text)', url)
  await server.query('alter table ballast alter column bytes set storage external', url)
  for (const size of [500_000, 50_000, 5000]) {
    const insert = `insert into ballast select repeat('x', ${size})`
    for (let inserted = true; inserted; )
      inserted = await server.query(insert, url).then(
        () => true,
        () => false,
      )
  }
}

function noise(seed: number): string {
  let state = seed + 1
  return Array.from({ length: 30_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return String.fromCharCode(35 + ((state >>> 8) % 56))
  }).join('')
}
