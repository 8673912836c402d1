import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pgbouncerProgram, postgresFolder } from '../../scripts/postgres.mjs'
import { openPostgresLog } from '../../src/memory/log/postgres-log.ts'
import { Memory } from '../../src/memory/memory.ts'
import { itemsAsOf } from '../../src/memory/state/as-of.ts'
import { checkState } from '../../src/memory/state/check.ts'
import { databaseUsers, ownedPlaces } from '../store/database-users.ts'
import { type Pooler, startPgbouncer } from '../store/pgbouncer.ts'
import { type PostgresServer, sharedPostgres } from '../store/postgres.ts'

let server: PostgresServer
let names = 0

async function open(url: string): Promise<Memory> {
  const log = await openPostgresLog(url)
  return new Memory({ log, now: Date.now, newId: (kind) => `${kind}_${++names}` })
}

const editor = { kind: 'preference', category: 'tooling', attribute: 'editor' } as const
const values = (memory: Memory): readonly (string | undefined)[] =>
  itemsAsOf(memory.state, Date.now() + 1_000).map(({ item }) => item.value ?? item.text)

describe.skipIf(postgresFolder() === null)('a memory in PostgreSQL', () => {
  beforeAll(async () => {
    server = await sharedPostgres()
  }, 60_000)

  for (const { name, places } of databaseUsers)
    describe(`as ${name}`, () => keepsItsWord(() => places(server)))

  describe.skipIf(pgbouncerProgram() === null)('through PgBouncer in transaction mode', () => {
    let pooler: Pooler
    beforeAll(async () => {
      pooler = await startPgbouncer(server.url, ['gateway'])
    }, 60_000)
    afterAll(() => pooler.stop(), 60_000)
    keepsItsWord(() => ownedPlaces(server, pooler.through))
  })
})

function keepsItsWord(places: () => () => Promise<string>): void {
  let place: () => Promise<string>
  beforeAll(() => {
    place = places()
  })

  it('is seen at once by whoever wrote, and by others after save', async () => {
    const url = await place()
    const [one, two] = [await open(url), await open(url)]
    const { id } = one.add({ ...editor, text: 'Vim', value: 'Vim' })
    expect(values(one)).toEqual(['Vim'])
    await two.save()
    expect(values(two)).toEqual([])
    await one.save()
    await two.save()
    expect([...two.state.items.keys()]).toEqual([id])
    one.close()
    two.close()
  })

  it('decides again when another was first: both words are kept, one holds, names stay', async () => {
    const url = await place()
    const [one, two] = [await open(url), await open(url)]
    const first = one.add({ ...editor, text: 'Vim', value: 'Vim' })
    const second = two.add({ ...editor, text: 'Zed', value: 'Zed' })
    await one.save()
    await two.save()
    await one.save()
    for (const memory of [one, two]) {
      expect([...memory.state.items.keys()].toSorted()).toEqual([first.id, second.id].toSorted())
      expect(values(memory)).toHaveLength(1)
      expect(checkState(memory.state, Date.now() + 1_000)).toEqual([])
    }
    expect(values(one)).toEqual(values(two))
    one.close()
    two.close()
  })

  it('keeps what many write at the same time', async () => {
    const url = await place()
    const writers = await Promise.all(Array.from({ length: 4 }, () => open(url)))
    await Promise.all(
      writers.map(async (memory, writer) => {
        for (let turn = 0; turn < 10; turn++) {
          memory.add({ kind: 'fact', text: `${writer} says ${turn}` })
          await memory.save()
        }
      }),
    )
    const reader = await open(url)
    expect(values(reader)).toHaveLength(40)
    for (const memory of [...writers, reader]) memory.close()
  })

  it('forgets for everybody', async () => {
    const url = await place()
    const [one, two] = [await open(url), await open(url)]
    const { id } = one.add({ kind: 'fact', text: 'the garage code is 4711' })
    await one.save()
    await two.save()
    two.add({ kind: 'fact', text: 'said meanwhile' })
    one.forget([id])
    await one.save()
    await two.save()
    expect(values(two)).toEqual(['said meanwhile'])
    expect([...two.state.tombstones.keys()]).toEqual([id])
    one.close()
    two.close()
  })

  it('leaves out what has become impossible, and says so', async () => {
    const url = await place()
    const [one, two] = [await open(url), await open(url)]
    const a = one.add({ kind: 'fact', text: 'a' })
    const b = one.add({ kind: 'fact', text: 'b' })
    await one.save()
    await two.save()
    one.supersede(a.id, b.id)
    two.supersede(b.id, a.id)
    await one.save()
    await expect(two.save()).rejects.toThrow('cycle')
    await two.save()
    expect(values(two)).toEqual(['b'])
    one.close()
    two.close()
  })
}
