import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { openStore, storeLocation } from '../../src/store/index.ts'
import { explainPostgresError } from '../../src/store/postgres/explain.ts'
import { hasSafeWal } from '../../src/store/sqlite/connection.ts'
import { loadSqlite } from '../../src/store/sqlite/driver.ts'
import { bundledProgram } from '../bundled-program.ts'
import { projectRoot } from '../model/project-root.ts'
import { canMount } from './mounting.ts'
import { firstAddition, nothing, say } from './told.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-faults-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = (name: string): string => {
  const made = path.join(folder, name)
  mkdirSync(made)
  return made
}
const inFile = (name: string) => ({ kind: 'sqlite', path: path.join(folder, name) }) as const
const modeOf = (name: string): string => (statSync(name).mode & 0o777).toString(8)

/** Runs a program where a folder is mounted in a way of its own; nobody else sees that. */
async function mounted(mount: string, task: string, where: string): Promise<unknown> {
  const program = await bundledProgram('test', 'store', 'run-in-narrow-place.ts')
  const script = `${mount} && exec "$0" "$@"`
  const args = ['--mount', '--map-root-user', 'sh', '-c', script, process.execPath, program]
  const { stdout, stderr } = spawnSync('unshare', [...args, task, where], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe.skipIf(!canMount)('a narrow place [needs unshare]', () => {
  it('that is full: says so, has what it acknowledged, and goes on when there is room', async () => {
    const where = place('full')
    const mount = `mount -t tmpfs -o size=1200k tmpfs '${where}'`
    expect(await mounted(mount, 'fill', where)).toEqual({
      code: 'store-full',
      kept: true,
      isSame: true,
      after: 'done',
      problems: [],
    })
  })

  it('that takes no writes: says so, for a store that is there and for a new one', async () => {
    const where = place('read-only')
    await (await openStore({ kind: 'sqlite', path: path.join(where, 'store.db') })).close()
    const mount = `mount --bind '${where}' '${where}' && mount -o remount,ro,bind '${where}'`
    expect(await mounted(mount, 'open', where)).toEqual({
      code: 'store-read-only',
      other: 'store-read-only',
    })
  })
})

describe('a file', () => {
  it('that somebody else holds: says so after a while, and works once it is free', async () => {
    const store = await openStore(inFile('held.db'))
    const session = await store.openSession({ id: 'held', origin: 'test' })
    const other = (await loadSqlite())(path.join(folder, 'held.db'))
    other.exec('begin immediate')
    const addition = firstAddition([say('hello')])
    await expect(store.append(session, addition)).rejects.toMatchObject({ code: 'store-locked' })
    expect((await store.load(session)).extent).toEqual(nothing)
    other.exec('rollback')
    other.close()
    expect((await store.append(session, addition)).kind).toBe('done')
    expect((await store.load(session)).messages).toEqual(addition.messages)
    await store.close()
  })

  it('that another process holds for a moment: waits for it, and holds up nothing else', async () => {
    const store = await openStore(inFile('busy.db'))
    const session = await store.openSession({ id: 'busy', origin: 'test' })
    const other = (await loadSqlite())(path.join(folder, 'busy.db'))
    other.exec('begin immediate')
    let done = false
    const [one, two] = [firstAddition([say('hello')]), firstAddition([say('once more')])]
    const first = store.append(session, one).finally(() => {
      done = true
    })
    const second = store.append(session, two)
    // Whoever only reads does not wait.
    expect((await store.load(session)).extent).toEqual(nothing)
    for (let tick = 0; tick < 20; tick++) await setTimeout(10)
    expect(done).toBe(false)
    other.exec('rollback')
    other.close()
    const kinds = (await Promise.all([first, second])).map(({ kind }) => kind)
    // Both began at the same extent: one of them is told that the other was first.
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(1)
    expect((await store.load(session)).extent.messages).toBe(1)
    await store.close()
  })

  it('that is no store, a damaged one, or a folder: says so and leaves it as it is', async () => {
    const prose = 'this is no database, '.repeat(100)
    writeFileSync(path.join(folder, 'prose.db'), prose, { mode: 0o644 })
    await expect(openStore(inFile('prose.db'))).rejects.toMatchObject({ code: 'store-corrupt' })
    expect(statSync(path.join(folder, 'prose.db')).size).toBe(prose.length)
    expect(modeOf(path.join(folder, 'prose.db'))).toBe('644')
    await expect(openStore(inFile('.'))).rejects.toMatchObject({ code: 'store-unreachable' })
    const below = { kind: 'sqlite', path: path.join(folder, 'prose.db', 'x.db') } as const
    await expect(openStore(below)).rejects.toMatchObject({ code: 'store-unreachable' })
  })

  it('is private to its user, with all folders that are made for it', async () => {
    const file = path.join(folder, 'new', 'deep', 'store.db')
    const store = await openStore({ kind: 'sqlite', path: file })
    await store.openSession({ id: 'private', origin: 'test' })
    expect(modeOf(path.join(folder, 'new'))).toBe('700')
    expect(modeOf(path.dirname(file))).toBe('700')
    for (const suffix of ['', '-wal', '-shm']) expect(modeOf(file + suffix)).toBe('600')
    await store.close()
  })

  it("closes the user's own folder and an open file to others, and no other folder", async () => {
    const home = path.join(folder, 'home')
    mkdirSync(home, { mode: 0o755 })
    writeFileSync(path.join(home, 'palimpsest.db'), '', { mode: 0o644 })
    const location = storeLocation({ home, cwd: folder })
    expect(location).toMatchObject({ path: path.join(home, 'palimpsest.db') })
    await (await openStore(location)).close()
    expect([modeOf(home), modeOf(path.join(home, 'palimpsest.db'))]).toEqual(['700', '600'])
    const shared = path.join(folder, 'shared')
    mkdirSync(shared, { mode: 0o755 })
    await (await openStore(storeLocation({ chosen: 'shared', home, cwd: folder }))).close()
    expect([modeOf(shared), modeOf(path.join(shared, 'palimpsest.db'))]).toEqual(['755', '600'])
  })

  it('uses a write-ahead log only where SQLite does not lose it', () => {
    const safe = ['3.51.3', '3.52.0', '4.0.0', '3.100.0']
    const unsafe = ['3.51.2', '3.45.1', '2.99.99', '3.50.9']
    expect([safe.filter(hasSafeWal), unsafe.filter(hasSafeWal)]).toEqual([safe, []])
  })
})

describe('errors of PostgreSQL', () => {
  it.each([
    [{ code: '53100' }, 'store-full'],
    [{ code: '25006' }, 'store-read-only'],
    [{ code: '55P03' }, 'store-locked'],
    [{ code: '57P01' }, 'store-unreachable'],
    [{ code: 'ECONNREFUSED' }, 'store-unreachable'],
    [{ code: '28P01' }, 'store-unreachable'],
    [{ code: 'XX001' }, 'store-corrupt'],
    [{ code: '22000' }, 'store-failed'],
  ])('%o is %s', (fields, code) => {
    const error = Object.assign(new Error('it did not work'), fields)
    const place = { url: 'postgres://me@db:1/x', schema: 'palimpsest', user: 'me' }
    expect(explainPostgresError(error, place)).toMatchObject({ code, cause: error })
  })
})
