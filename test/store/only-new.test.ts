import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openStore } from '../../src/store/index.ts'
import { loadSqlite } from '../../src/store/sqlite/driver.ts'
import { conversation, entry, nothing, ToldSession } from './told.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-only-new-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('writes for a turn only what is new, however long the session is, even when another session has the text', async () => {
  const file = path.join(folder, 'store.db')
  const store = await openStore({ kind: 'sqlite', path: file })
  const database = (await loadSqlite())(file)
  const counts = (): Record<string, number> =>
    Object.fromEntries(
      ['sessions', 'blocks', 'originals', 'items', 'statistics'].map((table) => {
        const [row] = database.prepare(`select count(*) as rows from ${table}`).all()
        return [table, Number((row as { rows: unknown }).rows)]
      }),
    )
  const bytes = (): number => {
    const [row] = database
      .prepare('select length(data) as bytes from blocks order by id')
      .all()
      .slice(-1)
    return Number((row as { bytes: unknown }).bytes)
  }
  const drafts = conversation(400)
  const told = new ToldSession()
  const session = await store.openSession({ id: 'long', origin: 'test' })
  const first = told.tell(drafts.slice(0, -2))
  await store.append(session, { expected: nothing, messages: first })
  const before = counts()
  const messages = told.tell(drafts)
  const expected = { messages: first.length, ledger: 0, entries: 0 }
  await store.append(session, { expected, messages, entries: [entry(1)] })
  expect(counts()).toEqual({
    ...before,
    blocks: Number(before.blocks) + 1,
    originals: Number(before.originals) + 3,
    items: Number(before.items) + 3,
  })
  expect(bytes()).toBeLessThan(1500)

  const fork = await store.openSession({ id: 'fork', origin: 'test', parent: 'long' })
  const whole = new ToldSession().tell(drafts)
  await store.append(fork, { expected: nothing, messages: whole })
  expect(counts().originals).toBe(Number(before.originals) + 3)
  await store.forget(session)
  expect(counts().originals).toBe(Number(before.originals) + 3)
  expect((await store.load(fork)).messages).toEqual(whole)
  expect(await store.check()).toEqual([])
  await store.forget(fork)
  expect(counts()).toMatchObject({ sessions: 0, blocks: 0, originals: 0, items: 0 })
  database.close()
  await store.close()
})
