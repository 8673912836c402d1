import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  measureForgettingInPostgres,
  measureForgettingInSqlite,
} from '../../bench/memory/forgetting.ts'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { type PostgresServer, startPostgres } from '../store/postgres.ts'

describe('a forgotten text', () => {
  it('is in no file, session record, told context or export of SQLite any more', async () => {
    expect(await measureForgettingInSqlite()).toMatchObject([{ value: '0' }])
  })

  describe.skipIf(postgresFolder() === null)('in PostgreSQL', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    }, 60_000)
    afterAll(async () => server.end())

    it('is in no file of the server after VACUUM, its write-ahead log excepted', async () => {
      expect(await measureForgettingInPostgres(await server.database())).toMatchObject([
        { value: '0' },
      ])
    })
  })
})
