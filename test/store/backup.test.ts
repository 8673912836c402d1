import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { newToken } from '../../src/gateway/tokens/token-text.ts'
import { openStore } from '../../src/store/index.ts'
import { startSetting } from '../gateway/setting.ts'
import { paths, storyBodies } from '../gateway/story.ts'
import { type PostgresServer, sharedPostgres } from './postgres.ts'

const programs = postgresFolder()

describe.skipIf(programs === null)(
  'a backup of a PostgreSQL store [npm test -- --all installs it]',
  { timeout: 60_000 },
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest backup '))
    let server: PostgresServer
    beforeAll(async () => {
      server = await sharedPostgres()
    }, 60_000)
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    function run(program: string, ...args: readonly string[]): void {
      const { status, stderr } = spawnSync(path.join(programs as string, program), args, {
        encoding: 'utf8',
      })
      expect([program, status, stderr]).toEqual([program, 0, ''])
    }

    it('holds sessions, tokens and owners, and a session goes on from it with the same bytes', async () => {
      const [url, restored] = [await server.database(), await server.database()]
      const store = await openStore({ kind: 'postgres', url })
      const { id, hash, text } = newToken()
      const times = { createdAt: 1, expiresAt: null, revokedAt: null }
      await store.team.addToken({ id, name: 'ana', hash, ...times })
      const setting = await startSetting({ store })
      const bodies = storyBodies('anthropic', { turns: 14 })
      const headers = { 'x-session-id': 's', 'x-api-key': 'k', 'x-palimpsest-token': text }
      for (const body of bodies.slice(0, 10)) await setting.post(paths.anthropic, body, headers)

      const file = path.join(folder, 'palimpsest.dump')
      run('pg_dump', '--format=custom', '--schema=palimpsest', `--file=${file}`, url)
      for (const body of bodies.slice(10)) await setting.post(paths.anthropic, body, headers)
      const expected = setting.upstream.received.slice(10).map(({ body }) => String(body))
      await setting.stop()
      await store.close()

      run('pg_restore', '--exit-on-error', `--dbname=${restored}`, file)
      const copy = await openStore({ kind: 'postgres', url: restored })
      expect(await copy.check()).toEqual([])
      expect((await copy.sessions({ owner: 'ana' })).map((each) => each.id)).toEqual(['s'])
      const again = await startSetting({ store: copy })
      for (const body of bodies.slice(10)) await again.post(paths.anthropic, body, headers)
      const sent = again.upstream.received.map(({ body }) => String(body))
      expect(sent).toEqual(expected)
      expect(sent.at(-1)?.length).toBeLessThan((bodies.at(-1)?.length ?? 0) / 2)
      await again.stop()
      await copy.close()
    })
  },
)
