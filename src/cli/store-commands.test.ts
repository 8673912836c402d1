import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CapturedRun, captureRun } from '../../test/captured-run.ts'
import type { MessageDraft } from '../core/words/item.ts'
import { openStore, type Store } from '../store/index.ts'
import { loadSqlite } from '../store/sqlite/driver.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-store-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const day = 86_400_000
const text = 'first line\r\nsecond — 🦉\n\n  no newline at the end'

function palimpsest(...args: string[]): Promise<CapturedRun> {
  return captureRun(args, { cwd: folder })
}

async function tell(store: Store, id: string, handle: string, said: string): Promise<void> {
  const draft: MessageDraft = { role: 'user', items: [{ kind: 'text', text: said }] }
  const expected = { messages: 0, ledger: 0, entries: 0 }
  const messages = [{ previous: null, draft, handles: [handle] }]
  await store.append(await store.openSession({ id, origin: 'test' }), { expected, messages })
}

/** A store with two sessions, last used 40 days and one day before the command line's clock, which stands at 0. */
async function filledStore(name: string): Promise<string> {
  const file = path.join(folder, name)
  let now = -40 * day
  const store = await openStore({ kind: 'sqlite', path: file }, { now: () => now })
  await tell(store, 'older', 'abc123', text)
  now = -day
  await tell(store, 'newer', 'def456', 'another text')
  await store.close()
  return file
}

/** Goes past the store to its tables. */
async function query(name: string, sql: string): Promise<readonly unknown[]> {
  const database = (await loadSqlite())(name)
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

let file = ''
beforeAll(async () => {
  file = await filledStore('store.db')
})

describe('the store of the configuration', () => {
  it('is taken when no option names one', async () => {
    const project = path.join(folder, 'configured')
    mkdirSync(project)
    writeFileSync(path.join(project, 'palimpsest.jsonc'), JSON.stringify({ store: file }))
    const run = await captureRun(['restore', 'abc123'], { cwd: folder, home: project })
    expect(run).toMatchObject({ code: 0, out: text })
    const other = await captureRun(['restore', 'abc123', '--store', 'none.db'], {
      cwd: folder,
      home: project,
    })
    expect(other.err).toContain('there is no store at')
  })
})

describe('restore', () => {
  it('prints the original byte for byte', async () => {
    const run = await palimpsest('restore', 'ABC123', '--store', file)
    expect(run).toEqual({ code: 0, out: text, err: '' })
    const inSession = await palimpsest('restore', 'abc123', '--session', 'older', '--store', file)
    expect(inSession).toEqual({ code: 0, out: text, err: '' })
    const json = await palimpsest('restore', 'abc123', '--store', file, '--json')
    expect(JSON.parse(json.out)).toEqual({ session: 'older', text })
    const fold = await palimpsest('restore', 'abc123:1-1', '--store', file)
    expect(fold).toEqual({ code: 0, out: text.split('\n')[0], err: '' })
  })

  it('exits with 1 when nothing is known under the handle', async () => {
    for (const args of [['fffff0'], ['abc123', '--session', 'newer']]) {
      const run = await palimpsest('restore', ...args, '--store', file)
      expect(run).toMatchObject({ code: 1, out: '', err: expect.stringContaining(args[0] ?? '') })
    }
  })

  it('exits with 1 and lists the sessions when the handle is ambiguous', async () => {
    const ambiguous = await filledStore('ambiguous.db')
    const store = await openStore({ kind: 'sqlite', path: ambiguous })
    await tell(store, 'third', 'abc123', 'not the same')
    await store.close()
    const run = await palimpsest('restore', 'abc123', '--store', ambiguous)
    expect(run).toMatchObject({ code: 1, out: '' })
    expect(run.err).toMatch(/third[\s\S]*older/)
    const chosen = await palimpsest('restore', 'abc123', '--session', 'third', '--store', ambiguous)
    expect(chosen).toEqual({ code: 0, out: 'not the same', err: '' })
  })

  it('exits with 2 when there is no such store or no handle was given, and makes none', async () => {
    const nowhere = path.join(folder, 'nowhere.db')
    for (const args of [
      ['abc123', '--store', nowhere],
      ['xyz', '--store', file],
      ['abc123', '--store', 'mysql://somewhere/x'],
      ['abc123'],
    ]) {
      const run = await palimpsest('restore', ...args)
      expect([args, run.code, run.out]).toEqual([args, 2, ''])
      expect(run.err).not.toBe('')
    }
    expect(existsSync(nowhere)).toBe(false)
  })
})

describe('sessions', () => {
  it('lists them for people and for programs', async () => {
    const { out } = await palimpsest('sessions', '--store', file, '--json')
    const used = { parent: null, origin: 'test', folder: null, messages: 1, items: 1 }
    expect(JSON.parse(out)).toEqual([
      { ...used, id: 'newer', createdAt: -day, usedAt: -day, characters: 12 },
      { ...used, id: 'older', createdAt: -40 * day, usedAt: -40 * day, characters: text.length },
    ])
    const shown = await palimpsest('sessions', '--store', file)
    expect(shown.out).toMatch(/session .*\nnewer .* 24 h 0 min ago\nolder .* 40 days ago\n/)
  })
})

describe('gc', () => {
  it('says what would go, and removes it when it is meant', async () => {
    const own = await filledStore('gc.db')
    const dry = await palimpsest('gc', '--older-than', '30d', '--dry-run', '--store', own, '--json')
    expect(JSON.parse(dry.out)).toMatchObject({
      removed: [{ id: 'older', usedAt: -40 * day }],
      originals: 1,
      dryRun: true,
    })
    expect((await palimpsest('restore', 'abc123', '--store', own)).code).toBe(0)
    const unasked = await palimpsest('gc', '--older-than', '30d', '--store', own)
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('add --yes')])
    expect((await palimpsest('restore', 'abc123', '--store', own)).code).toBe(0)
    const done = await palimpsest(
      'gc',
      '--older-than',
      '30d',
      '--larger-than',
      '5GB',
      '--yes',
      '--store',
      own,
    )
    expect(done.out).toMatch(/^older .*\nremoved 1 session, 1 original: /)
    expect((await palimpsest('restore', 'abc123', '--store', own)).code).toBe(1)
    expect((await palimpsest('restore', 'def456', '--store', own)).code).toBe(0)
    const all = await palimpsest('gc', '--larger-than', '0B', '--yes', '--store', own)
    expect(all.out).toContain('newer')
  })

  it('leaves no trace of what it removed in the file', async () => {
    const own = await filledStore('trace.db')
    const store = await openStore({ kind: 'sqlite', path: own }, { now: () => -90 * day })
    await tell(store, 'secret', 'c0ffee', 'the address of somebody: 12 Example Street')
    await store.close()
    const [row] = await query(own, 'select data from blocks order by id desc limit 1')
    const secret = Buffer.from((row as { data: Uint8Array }).data).toString('latin1')
    expect(secret.length).toBeGreaterThan(50)
    expect(readFileSync(own, 'latin1')).toContain(secret)
    await palimpsest('gc', '--older-than', '60d', '--yes', '--store', own)
    for (const suffix of ['', '-wal']) {
      const held = existsSync(own + suffix) ? readFileSync(own + suffix, 'latin1') : ''
      expect(held).not.toContain(secret)
    }
  })

  it('refuses limits that it does not understand', async () => {
    for (const args of [
      [],
      ['--older-than', 'yesterday'],
      ['--larger-than', '5 apples'],
      ['--older-than', '30'],
    ]) {
      const run = await palimpsest('gc', ...args, '--store', file)
      expect([args, run.code, run.out]).toEqual([args, 2, ''])
    }
  })
})

describe('store', () => {
  it('checks, and exits with 1 when something is wrong', async () => {
    expect(await palimpsest('store', 'check', '--store', file)).toMatchObject({
      code: 0,
      out: 'no problems found\n',
    })
    const damaged = path.join(folder, 'damaged.db')
    copyFileSync(file, damaged)
    await query(damaged, 'update originals set start = 1, bytes = bytes - 1 where id = 1')
    const run = await palimpsest('store', 'check', '--store', damaged, '--json')
    expect(run.code).toBe(1)
    expect(JSON.parse(run.out)).toEqual([
      {
        where: expect.stringMatching(/^original /),
        message: expect.stringContaining('has changed'),
      },
    ])
  })

  it('moves everything to another store through a file that only its owner can read', async () => {
    const backup = path.join(folder, 'backup.jsonl')
    expect(await palimpsest('store', 'export', backup, '--store', file)).toMatchObject({ code: 0 })
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const other = path.join(folder, 'other', 'moved.db')
    const moved = await palimpsest('store', 'import', backup, '--store', other, '--json')
    expect(JSON.parse(moved.out)).toEqual({ imported: 2, skipped: [] })
    const again = await palimpsest('store', 'import', backup, '--store', other)
    expect(again.out).toBe('0 sessions imported, 2 skipped because they exist already\n')
    const [before, after] = [
      await palimpsest('store', 'export', '--store', file),
      await palimpsest('store', 'export', '--store', other),
    ]
    expect(after.out).toBe(before.out)
    expect(before.out).toBe(readFileSync(backup, 'utf8'))
  })

  it('refuses to import what it cannot read', async () => {
    const prose = path.join(folder, 'prose.txt')
    writeFileSync(prose, 'hello\n')
    for (const name of [prose, path.join(folder, 'none.jsonl')]) {
      const run = await palimpsest('store', 'import', name, '--store', path.join(folder, 'x.db'))
      expect([name, run.code, run.out]).toEqual([name, 2, ''])
    }
  })

  it('says that a new store needs no migration', async () => {
    const run = await palimpsest('store', 'migrate', '--store', file)
    expect(run).toEqual({ code: 0, out: 'the schema is up to date\n', err: '' })
  })
})
