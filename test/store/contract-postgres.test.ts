import { afterAll, beforeAll, describe, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { contractCases } from './cases.ts'
import { runCase } from './places.ts'
import { inDatabase, type PostgresServer, startPostgres } from './postgres.ts'

describe.skipIf(postgresFolder() === null)(
  'a store in PostgreSQL [npm test -- --all installs it]',
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    }, 60_000)
    afterAll(() => server.end())
    for (const each of contractCases)
      it(each.name, () =>
        runCase(
          inDatabase(() => server),
          each,
        ),
      )
  },
)
