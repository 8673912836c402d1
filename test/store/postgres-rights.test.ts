import { beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { openPostgresLog } from '../../src/memory/log/postgres-log.ts'
import { Memory } from '../../src/memory/memory.ts'
import { openStore } from '../../src/store/index.ts'
import { type PostgresServer, sharedPostgres } from './postgres.ts'

const user = `o'Brien "the" guest`
const role = `"o'Brien ""the"" guest"`

/** Both things that are kept there. */
const doors = {
  store: async (url: string): Promise<void> => (await openStore({ kind: 'postgres', url })).close(),
  memory: async (url: string): Promise<void> => (await openPostgresLog(url)).close(),
}

describe.skipIf(postgresFolder() === null)(
  'a user of PostgreSQL [npm test -- --all installs it]',
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await sharedPostgres()
      await server.role(role)
    }, 60_000)

    for (const [door, open] of Object.entries(doors))
      describe(`who opens a ${door}`, () => {
        async function refusal(url: string): Promise<string> {
          const error: unknown = await open(url).catch((reason: unknown) => reason)
          expect(error).toMatchObject({ isPalimpsestError: true, code: 'store-read-only' })
          const { message } = error as Error
          expect(message).not.toMatch(/\n/)
          expect(message).not.toContain(new URL(url).password)
          return message
        }

        /** The statements that a message says, as it says them. */
        async function obey(message: string, url: string): Promise<void> {
          const [, statements] = /`([^`]+)`/.exec(message) ?? []
          await server.query(statements ?? 'no statement', url)
        }

        it('and may not create its schema is told what an administrator runs, and that is enough', async () => {
          const url = await server.database()
          const own = server.as(user, url)
          const message = await refusal(own)
          expect(message).toContain('?schema=NAME')
          await obey(message, url)
          await open(own)
        })

        it('and may not create tables in it is told what its owner runs, and that is enough', async () => {
          const url = await server.database()
          await server.query('create schema "Team"', url)
          const own = `${server.as(user, url)}?schema=Team`
          await obey(await refusal(own), url)
          await open(own)
        })

        it('and may not read the tables of another user is told what that user runs', async () => {
          const url = await server.database()
          await open(url)
          const own = server.as(user, url)
          await obey(await refusal(own), url)
          await open(own)
        })
      })

    it('who forgets in tables of another user is told what that user runs, and it is forgotten', async () => {
      const url = await server.database()
      await doors.memory(url)
      await server.query(
        `grant usage on schema palimpsest to ${role}; grant select, insert, update, delete on all tables in schema palimpsest to ${role}`,
        url,
      )
      const own = server.as(user, url)
      const memory = new Memory({
        log: await openPostgresLog(own),
        now: Date.now,
        newId: () => 'fact_1',
      })
      memory.add({ kind: 'fact', text: 'the garage code is 4711' })
      await memory.save()
      memory.forget(['fact_1'])
      const error: unknown = await memory.save().catch((reason: unknown) => reason)
      expect(error).toMatchObject({
        code: 'store-read-only',
        message: expect.stringContaining('`vacuum full "palimpsest"."memory_events"`'),
      })
      await memory.save()
      memory.close()
      const log = await openPostgresLog(own)
      expect(JSON.stringify(log.read({ sequence: 0, generation: 0 }))).not.toContain('4711')
      log.close()
    })

    it('reaches the server over a socket, and in a database of any name', async () => {
      await server.query('create database "Team Store"')
      const { port, password } = new URL(server.url)
      const rows = await server.rows('show unix_socket_directories')
      const host = encodeURIComponent(String(Object.values(rows[0] ?? {})[0]))
      const query = `?host=${host}&port=${port}&password=${password}&pgbouncer=true`
      for (const start of ['postgres://postgres@/', 'postgresql:///'])
        await doors.store(`${start}Team%20Store${query}&user=postgres`)
    })

    it('with a schema of their own shares nothing with the others of the database', async () => {
      const url = await server.database()
      const [one, other] = ['', '?schema=other'].map((query) => `${url}${query}`)
      const first = await openStore({ kind: 'postgres', url: one ?? '' })
      await first.openSession({ id: 'mine', origin: 'test' })
      const second = await openStore({ kind: 'postgres', url: other ?? '' })
      expect(await second.sessions()).toEqual([])
      expect(await first.sessions()).toHaveLength(1)
      await first.close()
      await second.close()
    })
  },
)
