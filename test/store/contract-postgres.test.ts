import { afterAll, beforeAll, describe, it } from 'vitest'
import { pgbouncerProgram, postgresFolder } from '../../scripts/postgres.mjs'
import { contractCases } from './cases.ts'
import { databaseUsers, ownedPlaces } from './database-users.ts'
import { type Pooler, startPgbouncer } from './pgbouncer.ts'
import { runCase } from './places.ts'
import { inDatabase, type PostgresServer, sharedPostgres } from './postgres.ts'

describe.skipIf(postgresFolder() === null)(
  'a store in PostgreSQL [npm test -- --all installs it]',
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await sharedPostgres()
    }, 60_000)

    function contract(places: () => () => Promise<string>): void {
      let place: () => Promise<string>
      beforeAll(() => {
        place = places()
      })
      for (const each of contractCases) it(each.name, () => runCase(inDatabase(place), each))
    }

    for (const { name, places } of databaseUsers)
      describe(`as ${name}`, () => contract(() => places(server)))

    describe.skipIf(pgbouncerProgram() === null)('through PgBouncer in transaction mode', () => {
      let pooler: Pooler
      beforeAll(async () => {
        pooler = await startPgbouncer(server.url, ['gateway'])
      }, 60_000)
      afterAll(() => pooler.stop(), 60_000)
      contract(() => ownedPlaces(server, pooler.through))
    })
  },
)
