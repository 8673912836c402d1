import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Steps } from '../sql/steps.ts'
import { openSqlite } from './open.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest open '))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Tables {
  readonly filled: { readonly bytes: Uint8Array }
}

function* running(sql: string, ...parameters: readonly number[]): Steps<void> {
  yield { sql, parameters }
}

it('keeps the write-ahead log short however much is written', async () => {
  const file = path.join(folder, 'store.db')
  const engine = await openSqlite<Tables>(file)
  await engine.write(() => running('create table filled (bytes blob)'))
  const megabyte = 1024 * 1024
  for (let written = 0; written < 40; written++)
    await engine.write(() => running('insert into filled values (zeroblob(?))', megabyte))
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBeLessThan(10 * megabyte)
  await engine.close()
  expect(statSync(file).size).toBeGreaterThan(40 * megabyte)
})
