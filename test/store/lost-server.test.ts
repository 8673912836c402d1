import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { createSessionWriter, openStore } from '../../src/store/index.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { historyOf, newEngine, resumedEngine } from './scripted-session.ts'
import { firstAddition, say } from './told.ts'

describe.skipIf(postgresFolder() === null)('a server [npm test -- --all installs it]', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterAll(() => server.end())

  it('that goes down takes nothing with it, and a session goes on without it until it is back', async () => {
    const store = await openStore({ kind: 'postgres', url: await server.database() })
    const loaded = await store.load(await store.openSession({ id: 'lost', origin: 'test' }))
    const engine = newEngine('lost')
    const writer = createSessionWriter(store, loaded)
    const request = (turns: number): void => {
      writer.note(engine, engine.request(historyOf('lost', turns)))
    }
    request(1)
    expect((await writer.flush()).kind).toBe('done')
    await server.stop()
    for (const turns of [2, 3]) {
      request(turns)
      await expect(writer.flush()).rejects.toMatchObject({ code: 'store-unreachable' })
    }
    await expect(store.load(loaded.session)).rejects.toMatchObject({ code: 'store-unreachable' })
    await expect(store.sessions()).rejects.toMatchObject({ code: 'store-unreachable' })
    await server.start()
    request(4)
    expect((await writer.flush()).kind).toBe('done')
    const after = await store.load(loaded.session)
    expect(after.messages.map(({ draft }) => draft)).toEqual(historyOf('lost', 4))
    const next = historyOf('lost', 5)
    expect(resumedEngine(after).request(next).changes).toEqual(engine.request(next).changes)
    await store.close()
  })

  it('that takes no writes, or holds a row for somebody else, says so', async () => {
    const url = await server.database()
    const store = await openStore({ kind: 'postgres', url })
    const session = await store.openSession({ id: 'held', origin: 'test' })
    const release = await server.hold(url, 'lock table palimpsest.sessions in exclusive mode')
    const addition = firstAddition([say('hello')])
    await expect(store.append(session, addition)).rejects.toMatchObject({ code: 'store-locked' })
    await release()
    expect((await store.append(session, addition)).kind).toBe('done')
    const name = new URL(url).pathname.slice(1)
    await store.close()
    await server.query(`alter database ${name} set default_transaction_read_only = on`)
    const again = await openStore({ kind: 'postgres', url })
    expect((await again.load(session)).messages).toEqual(addition.messages)
    const opening = again.openSession({ id: 'other', origin: 'test' })
    await expect(opening).rejects.toMatchObject({ code: 'store-read-only' })
    await again.close()
  })

  it('that is not there, or refuses the password, says so at once', async () => {
    const url = new URL(await server.database())
    url.password = 'wrong'
    const refused = openStore({ kind: 'postgres', url: url.href })
    await expect(refused).rejects.toMatchObject({ code: 'store-unreachable' })
    const nowhere = openStore({ kind: 'postgres', url: 'postgres://me@127.0.0.1:1/none' })
    await expect(nowhere).rejects.toMatchObject({ code: 'store-unreachable' })
  })
})
