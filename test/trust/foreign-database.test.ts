import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { loadSqlite } from '../../src/store/sqlite/driver.ts'
import { captureRun } from '../captured-run.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-foreign-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a database of another program is refused, and not a byte or mode of it changes', async () => {
  const file = path.join(folder, 'contacts.db')
  const open = await loadSqlite()
  const database = open(file)
  database.exec("create table contacts (name text); insert into contacts values ('Ada')")
  database.close()
  chmodSync(file, 0o644)
  const [bytes, { mode }] = [readFileSync(file), statSync(file)]
  for (const args of [
    ['sessions'],
    ['memory', 'add', 'fact', 'x'],
    ['memory', 'list'],
    ['store', 'check'],
  ]) {
    const run = await captureRun([...args, '--store', file], { cwd: folder, home: folder })
    expect([args, run.code, run.err]).toEqual([
      args,
      2,
      `palimpsest: ${file} is a database of another program and was not changed: name another file for the store\n`,
    ])
  }
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(statSync(file).mode).toBe(mode)
})
