import { createSecretKey, hash, randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { openLog } from '../../src/memory/log/open-log.ts'
import { Memory } from '../../src/memory/memory.ts'
import { openStore, type Store, type StoreLocation } from '../../src/store/index.ts'
import { migrate, newestVersion, storedSchema } from '../../src/store/migrate.ts'
import { openEngine } from '../../src/store/open-store.ts'
import type { Steps } from '../../src/store/sql/steps.ts'
import { captureRun } from '../captured-run.ts'
import { contractCases } from './cases.ts'
import { inLocation, runCase } from './places.ts'
import { type PostgresServer, sharedPostgres } from './postgres.ts'
import { conversation, entry, firstAddition } from './told.ts'

type Location = Exclude<StoreLocation, { readonly kind: 'memory' }>

const key = createSecretKey(randomBytes(32))
const words = ['wolverine', 'pangolin', 'cassowary', 'armadillo'] as const
const [inSession, inLedger, inMemory, inOwnMemory] = words

async function fill(location: Location, id = 'first'): Promise<void> {
  const store = await openStore(location)
  const session = await store.openSession({ id, origin: 'test' })
  const { expected, messages } = firstAddition(conversation(3, inSession))
  await store.append(session, {
    expected,
    messages,
    entries: [entry(0, inLedger)],
    receipts: [{ note: inLedger }],
  })
  await store.close()
  for (const [owner, text] of [
    [null, inMemory],
    ['ana', inOwnMemory],
  ] as const) {
    const memory = await openMemory(location, owner)
    memory.add({ kind: 'fact', text: `The ${text} of ${id}` })
    await memory.save()
    memory.close()
  }
}

async function openMemory(location: Location, owner: string | null): Promise<Memory> {
  const log = await openLog(location, owner)
  let names = 0
  return new Memory({ log, now: Date.now, newId: (kind) => `${kind}_${Date.now()}_${++names}` })
}

/** All texts that the store gives to a program that may open it. */
async function readAll(location: Location): Promise<string> {
  const store: Store = await openStore(location)
  try {
    expect(await store.check()).toEqual([])
    const read: unknown[] = []
    for (const session of await store.sessions()) {
      const { messages, ledger } = await store.load(session)
      read.push(messages, ledger, await store.receipts(session))
    }
    for (const owner of [null, 'ana']) {
      const memory = await openMemory(location, owner)
      read.push([...memory.state.items.values()])
      memory.close()
    }
    return JSON.stringify(read)
  } finally {
    await store.close()
  }
}

/** The words and hashes of texts that somebody finds who has everything but the key. */
async function found(location: Location, files: readonly string[]): Promise<readonly string[]> {
  const engine = await openEngine(location)
  const table = (name: string): string => `${engine.schema === null ? '' : 'palimpsest.'}${name}`
  const rows = (sql: string): Promise<readonly unknown[]> =>
    engine.read(function* (): Steps<readonly unknown[]> {
      return yield { sql, parameters: [] }
    })
  const parts: Buffer[] = []
  let dictionary: Buffer = Buffer.alloc(0)
  for (const row of await rows(`select data from ${table('blocks')} order by id`)) {
    const { data } = row as { readonly data: Uint8Array }
    try {
      const content = inflateRawSync(data.subarray(1), dictionary.length > 0 ? { dictionary } : {})
      dictionary = content.subarray(-8192)
      parts.push(content)
    } catch {
      dictionary = Buffer.alloc(0)
    }
  }
  const hashes = (await rows(`select hash from ${table('originals')}`)).map((row) =>
    Buffer.from((row as { readonly hash: Uint8Array }).hash),
  )
  await engine.close()
  for (const file of files) parts.push(readFileSync(file))
  const all = Buffer.concat(parts)
  const plain = hash('sha256', `tell me about ${inSession}`, 'buffer').subarray(0, 20)
  const seen = words.filter((word) => all.includes(word))
  const isHashed = all.includes(plain) || hashes.some((each) => each.equals(plain))
  return isHashed ? [...seen, 'hash'] : seen
}

function everyFile(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => path.join(each.parentPath, each.name))
    .filter((file) => statSync(file).size < 200_000_000)
}

interface World {
  place(): Promise<Location>
  /** The files that the database has written so far. */
  files(location: Location): Promise<readonly string[]>
}

function encrypts({ place, files }: World): void {
  const look = async (location: Location): Promise<readonly string[]> =>
    found(location, await files(location))
  const run = async (location: Location, args: readonly string[], given: Location = location) => {
    const before = process.env.PALIMPSEST_KEY
    if (given.key !== undefined) process.env.PALIMPSEST_KEY = given.key.export().toString('hex')
    const store = location.kind === 'sqlite' ? location.path : location.url
    try {
      return await captureRun([...args, '--store', store], { cwd: tmpdir(), home: tmpdir() })
    } finally {
      if (before === undefined) delete process.env.PALIMPSEST_KEY
      else process.env.PALIMPSEST_KEY = before
    }
  }

  it('nothing without a key, which this test would notice', async () => {
    const location = await place()
    await fill(location)
    expect([...(await look(location))].sort()).toEqual([...words, 'hash'].sort())
  })

  it('sessions and memory, which only the key reads', async () => {
    const location = { ...(await place()), key }
    await fill(location)
    expect(await look(location)).toEqual([])
    const read = await readAll(location)
    for (const word of words) expect(read).toContain(word)
  })

  it('so that no key and a wrong key are refused with what to do, and nothing is lost', async () => {
    const plain = await place()
    const location = { ...plain, key }
    await fill(location)
    const before = await readAll(location)
    for (const wrong of [plain, { ...plain, key: createSecretKey(randomBytes(32)) }]) {
      const message = /PALIMPSEST_KEY.*encryption\.keyFile.*Nothing was changed/
      const refused = { code: 'store-key', message: expect.stringMatching(message) }
      await expect(openStore(wrong)).rejects.toMatchObject(refused)
      for (const owner of [null, 'ana'])
        await expect(openMemory(wrong, owner)).rejects.toMatchObject(refused)
      const { code, err } = await run(plain, ['sessions'], wrong)
      expect([code, err]).toEqual([2, expect.stringMatching(message)])
    }
    expect(await readAll(location)).toBe(before)
  })

  it('what is new when a store gets a key, and the old by `store encrypt`', async () => {
    const plain = await place()
    const location = { ...plain, key }
    await fill(plain, 'old')
    const old = await readAll(plain)
    await fill(location, 'new')
    expect(await look(location)).not.toEqual([])
    const { code, out } = await run(location, ['store', 'encrypt'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^encrypted \d+ blocks? of \d+ texts/)])
    expect(await look(location)).toEqual([])
    const read = await readAll(location)
    for (const part of JSON.parse(old) as unknown[])
      expect(read).toContain(JSON.stringify(part).slice(1, -1))
    expect((await run(location, ['store', 'encrypt'])).out).toBe('everything is encrypted\n')
    expect((await run(plain, ['store', 'encrypt'])).code).toBe(2)
  })

  it('in a store that versions without encryption refuse', async () => {
    const location = { ...(await place()), key }
    await fill(location)
    const engine = await openEngine<{ palimpsest_schema: { part: string; version: number } }>(
      location,
    )
    const rows = await engine.read(function* (): Steps<readonly unknown[]> {
      return yield engine.db.selectFrom('palimpsest_schema').selectAll().compile()
    })
    // What they compare with the newest version that they know.
    for (const part of ['sessions', 'memory', 'own memory', 'team'])
      expect(rows).toContainEqual({ part: `${part} works from`, version: 1_000 })
    for (const part of ['sessions', 'memory'] as const) {
      expect(await storedSchema(engine, part)).toMatchObject({ version: newestVersion(part) })
      await migrate(engine, part)
    }
    await engine.close()
  })
}

describe('a file encrypts', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest encrypted '))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let made = 0
  const place = async (): Promise<Location> => ({
    kind: 'sqlite',
    path: path.join(folder, String(++made), 'store.db'),
  })
  encrypts({
    place,
    files: async (location) =>
      everyFile(path.dirname(location.kind === 'sqlite' ? location.path : '')),
  })

  it('with the key of a file that the configuration names, and keeps the contract', async () => {
    const home = path.join(folder, 'home of a user')
    const { path: file } = (await place()) as { path: string }
    await fill({ kind: 'sqlite', path: file, key })
    mkdirSync(home)
    writeFileSync(path.join(home, 'store.key'), `${key.export().toString('base64')}\n`)
    writeFileSync(
      path.join(home, 'palimpsest.jsonc'),
      JSON.stringify({ store: file, encryption: { keyFile: 'store.key' } }),
    )
    const { code, out } = await captureRun(['sessions'], { cwd: folder, home })
    expect([code, out]).toEqual([0, expect.stringContaining('first')])
    writeFileSync(path.join(home, 'store.key'), 'no key')
    const refused = await captureRun(['sessions'], { cwd: folder, home })
    expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(/openssl rand -hex 32/)])
    rmSync(path.join(home, 'store.key'))
    const missing = await captureRun(['sessions'], { cwd: folder, home })
    expect([missing.code, missing.err]).toEqual([2, expect.stringMatching(/cannot be read/)])
  })

  for (const each of contractCases)
    it(`and ${each.name}`, async () =>
      runCase(async (work) => inLocation({ ...(await place()), key })(work), each))
})

describe.skipIf(postgresFolder() === null)('PostgreSQL encrypts', () => {
  let server: PostgresServer
  let folder = ''
  beforeAll(async () => {
    server = await sharedPostgres()
    const [row] = await server.rows('show data_directory')
    folder = String(row?.data_directory)
  }, 60_000)
  encrypts({
    place: async () => ({ kind: 'postgres', url: await server.database() }),
    async files(location) {
      const url = location.kind === 'postgres' ? location.url : ''
      await server.query('checkpoint', url)
      const [row] = await server.rows(
        'select oid::text from pg_database where datname = current_database()',
        url,
      )
      return everyFile(path.join(folder, 'base', String(row?.oid)))
    },
  })
})
