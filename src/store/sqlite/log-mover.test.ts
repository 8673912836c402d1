import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Steps } from '../sql/steps.ts'
import { driverFile, loadSqlite, type SqliteDatabase } from './driver.ts'
import { createLogMover } from './log-mover.ts'
import { configureSqlite, openSqlite } from './open.ts'

const pageBytes = 4096
let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-log-'))
  file = path.join(folder, 'store.db')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function connect(): Promise<SqliteDatabase> {
  const database = (await loadSqlite())(file)
  configureSqlite(database)
  return database
}

/** Pages that are only in the log. */
function waiting(database: SqliteDatabase): number {
  const [row] = database.prepare('pragma wal_checkpoint(noop)').all()
  const { log, checkpointed } = row as { log: number; checkpointed: number }
  return log - checkpointed
}

function fill(database: SqliteDatabase, pages: number): void {
  database.exec('create table if not exists filled (bytes blob)')
  database.prepare('insert into filled values (zeroblob(?))').all(pages * pageBytes)
}

describe('moving the log', () => {
  it('is done by another thread', async () => {
    const database = await connect()
    fill(database, 100)
    expect(waiting(database)).toBeGreaterThan(100)
    let here = 0
    const mover = createLogMover({ path: file, driver: driverFile, moveHere: () => here++ })
    await Promise.all([mover.move(), mover.move()])
    expect({ here, waiting: waiting(database) }).toEqual({ here: 0, waiting: 0 })
    fill(database, 10)
    await mover.move()
    expect({ here, waiting: waiting(database) }).toEqual({ here: 0, waiting: 0 })
    await mover.end()
    await mover.end()
    database.close()
  })

  it('is done here where there is no other', async () => {
    let here = 0
    const driver = (): string => path.join(folder, 'missing.js')
    const mover = createLogMover({ path: file, driver, moveHere: () => here++ })
    await mover.move()
    await mover.move()
    await mover.end()
    expect(here).toBe(2)
  })
})

describe('a store that is written to', () => {
  interface Tables {
    readonly filled: { readonly bytes: Uint8Array }
  }

  function* running(sql: string, ...parameters: readonly number[]): Steps<void> {
    yield { sql, parameters }
  }

  const insert = 'insert into filled values (zeroblob(?))'

  it('has a long log moved in a pause, and a short one left where it is', async () => {
    const engine = await openSqlite<Tables>(file)
    const looking = await connect()
    await engine.write(() => running('create table filled (bytes blob)'))
    await engine.write(() => running(insert, 20 * pageBytes))
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(waiting(looking)).toBeGreaterThan(20)
    await engine.write(() => running(insert, 1_200 * pageBytes))
    await expect.poll(() => waiting(looking), { timeout: 5_000 }).toBe(0)
    looking.close()
    await engine.close()
  })

  it('has its log moved without a pause too, before a commit has to do it', async () => {
    const engine = await openSqlite<Tables>(file)
    const looking = await connect()
    await engine.write(() => running('create table filled (bytes blob)'))
    while (waiting(looking) < 6_500) await engine.write(() => running(insert, 100 * pageBytes))
    // Small turns from here on, one right after the other.
    const moved = async (): Promise<boolean> => {
      await engine.write(() => running(insert, pageBytes))
      return waiting(looking) < 3_000
    }
    await expect.poll(moved, { interval: 5, timeout: 10_000 }).toBe(true)
    looking.close()
    await engine.close()
  })
})
