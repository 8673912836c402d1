import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { captureRun } from '../captured-run.ts'
import { type PostgresServer, sharedPostgres } from '../store/postgres.ts'

describe.skipIf(postgresFolder() === null)('a PostgreSQL that people share', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-shared-'))
  let server: PostgresServer
  beforeAll(async () => {
    server = await sharedPostgres()
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has nobody’s export rewritten by somebody else', async () => {
    const url = await server.database()
    const home = (name: string): string => path.join(folder, name)
    for (const name of ['ada', 'bob']) mkdirSync(home(name))
    const memory = async (who: string, ...args: string[]): Promise<string> => {
      const run = await captureRun(['memory', ...args, '--store', url], {
        cwd: folder,
        home: home(who),
      })
      expect([args, run.code, run.err]).toEqual([args, 0, ''])
      return run.out
    }
    const added = await memory('ada', 'add', 'fact', 'the vault is behind the mirror', '--json')
    const { id } = JSON.parse(added) as { id: string }
    const [hers, his] = ['ada.jsonl', 'bob.jsonl'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ]
    await memory('ada', 'export', '--to', hers)
    await memory('bob', 'export', '--to', his)
    const forgotten = JSON.parse(await memory('ada', 'forget', id, '--yes', '--json')) as object
    expect(forgotten).toMatchObject({ forgotten: [id], files: [hers], left: [{ path: his }] })
    expect(readFileSync(hers, 'utf8')).toBe('')
    expect(readFileSync(his, 'utf8')).toContain('vault')
  }, 60_000)
})
