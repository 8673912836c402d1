import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { runtimePath, runtimes } from '../../scripts/runtimes.mjs'
import { openStore, type StoreLocation } from '../../src/store/index.ts'
import { bundledProgram } from '../bundled-program.ts'
import { isShortRun } from '../e2e/installed-client.ts'
import { runsOf } from '../soak.ts'
import { killWriters } from './killed-writers.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { historyOf, newEngine, presetOf, resumedEngine } from './scripted-session.ts'

const kills = runsOf({ short: isShortRun ? 60 : 200, long: 500 })

/** Numbers between 0 and 1 that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

async function survives(location: StoreLocation, binaries: readonly string[]): Promise<void> {
  const program = await bundledProgram('test', 'store', 'run-writer.ts')
  const options = { program, binaries, location, kills, random: randomFrom(42) }
  const { acknowledged, acknowledgements, complaints } = await killWriters(options)
  expect(complaints).toBe('')
  expect(acknowledgements).toBeGreaterThan(kills)
  const store = await openStore(location)
  expect(await store.check()).toEqual([])
  let changed = 0
  for (const { id, messages, ledger, entries } of acknowledged.values()) {
    const loaded = await store.load(await store.openSession({ id, origin: 'test' }))
    const ledgers = [...loaded.earlierLedgers, loaded.ledger]
    expect(loaded.messages.length).toBeGreaterThanOrEqual(messages)
    expect(ledgers[ledger]?.length).toBeGreaterThanOrEqual(entries)
    const turns = Math.floor(loaded.messages.length / 2)
    expect(loaded.messages.map(({ draft }) => draft)).toEqual(historyOf(id, turns))
    // One for each turn. Where several writers share a session, the receipts of those that came second are there too.
    const receipts = (await store.receipts(loaded.session)).map(({ turn }) => Number(turn))
    expect(loaded.statistics.turns).toBe(receipts.length)
    const isShared = presetOf(id) === 'acp'
    const kept = isShared ? [...new Set(receipts)].sort((a, b) => a - b) : receipts
    expect(kept).toEqual(Array.from({ length: turns }, (_, turn) => turn))

    const uninterrupted = newEngine(id)
    for (let turn = 0; turn < turns; turn++) uninterrupted.request(historyOf(id, turn + 1))
    if (isShared) expect(loaded.ledger).toEqual(uninterrupted.ledger.entries)
    const next = historyOf(id, turns + 1)
    const changes = uninterrupted.request(next).changes
    expect(resumedEngine(loaded).request(next).changes).toEqual(changes)
    changed += changes.length
  }
  expect(changed).toBeGreaterThan(0)
  await store.close()
}

describe(`${kills} killed writers, four at a time`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-kill-'))
  let server: PostgresServer | undefined
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await server?.end()
  })

  it('lose nothing that a file acknowledged, whichever runtimes write to it', async () => {
    const others = runtimes.map(runtimePath).filter((binary) => existsSync(binary))
    const binaries = Array.from({ length: 4 }, (_, at) => others[at - 1] ?? process.execPath)
    await survives({ kind: 'sqlite', path: path.join(folder, 'store.db') }, binaries)
  }, 900_000)

  describe.skipIf(postgresFolder() === null)(
    'in PostgreSQL [npm test -- --all installs it]',
    () => {
      beforeAll(async () => {
        server = await startPostgres()
      }, 60_000)

      it('lose nothing that the server acknowledged', async () => {
        const url = (await server?.database()) ?? ''
        const binaries = Array.from({ length: 4 }, () => process.execPath)
        await survives({ kind: 'postgres', url }, binaries)
      }, 900_000)
    },
  )
})
