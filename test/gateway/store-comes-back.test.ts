import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { openStore, type Store } from '../../src/store/index.ts'
import { canMount } from '../store/mounting.ts'
import { type PostgresServer, startPostgres } from '../store/postgres.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const bodies = storyBodies('anthropic')
const headers = { 'x-session-id': 's' }

describe('usage that no context could have', () => {
  let setting: Setting
  afterEach(() => setting.stop())

  it.each(['1e308', '1e400', '-5', '"7"', '[]'])('%s does not end pruning', async (tokens) => {
    setting = await startSetting()
    setting.upstream.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const usage = `{"input_tokens":${tokens},"cache_read_input_tokens":${tokens},"output_tokens":${tokens}}`
      response.end(`{"id":"m","type":"message","usage":${usage}}`)
    })
    for (const body of bodies.slice(0, 8)) await setting.post(paths.anthropic, body, headers)
    await sleep(200)
    const last = await setting.post(paths.anthropic, bodies.at(-1) as string, headers)
    expect(last.headers['x-palimpsest']).toMatch(/^before=\d+; after=\d+; epoch/)
    expect(setting.faults).toEqual([])
  })
})

describe.skipIf(postgresFolder() === null)('a server [npm test -- --all installs it]', () => {
  let server: PostgresServer
  let store: Store
  let setting: Setting
  beforeAll(async () => {
    server = await startPostgres()
    store = await openStore({ kind: 'postgres', url: await server.database() })
  }, 60_000)
  afterEach(() => setting.stop())
  afterAll(async () => {
    await store.close()
    await server.end()
  })

  it('that cuts its connections between requests is not noticed', async () => {
    setting = await startSetting({ store })
    for (const body of bodies) {
      await server.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $$client backend$$',
      )
      const { headers: answer } = await setting.post(paths.anthropic, body, headers)
      expect(answer['x-palimpsest']).toMatch(/^before=/)
    }
    expect(setting.gateway.status()).toMatchObject({ bypasses: {}, storeProblem: null })
  }, 60_000)

  it('that restarts again and again is told, and used soon after it is back', async () => {
    setting = await startSetting({ store })
    const ask = async (body: string): Promise<string> => {
      const { status, headers: answer } = await setting.post(paths.anthropic, body, {
        'x-session-id': 'restarts',
      })
      expect(status).toBe(200)
      return String(answer['x-palimpsest'])
    }
    for (const [turn, body] of bodies.entries()) {
      if (turn % 4 !== 3) {
        expect(await ask(body)).toMatch(/^before=/)
        continue
      }
      await server.stop()
      // What was decided before is sent again.
      expect(await ask(body)).toMatch(/(?:reason|unsaved)=store-unreachable/)
      expect(setting.gateway.status().storeProblem).toBe('store-unreachable')
      await server.start()
      await expect.poll(() => ask(body), { timeout: 5_000 }).toMatch(/^before=(?!.*unsaved)/)
      expect(setting.gateway.status().storeProblem).toBeNull()
    }
  }, 90_000)
})

describe('palimpsest serve', () => {
  let served: ServedCommands
  beforeAll(async () => {
    served = await serveCommands()
  }, 120_000)
  afterAll(() => served.stop())

  it.skipIf(!canMount)(
    'starts where the disk is full, lets requests through, and prunes once there is room [needs unshare]',
    async () => {
      const place = path.join(served.folder, 'full')
      mkdirSync(place)
      // A file takes all of the room, until somebody removes a file beside it.
      const script = `mount -t tmpfs -o size=1200k tmpfs '${place}'
        head -c 2000000 /dev/zero > '${place}/all' 2>/dev/null
        ( while [ ! -e '${served.folder}/room' ]; do sleep 0.1; done; rm '${place}/all' ) &
        exec "$0" "$@"`
      const within = ['unshare', '--mount', '--map-root-user', 'sh', '-c', script]
      const serving = await served.start('full/store.db', { within })
      const ask = (body: string): Promise<string> =>
        fetch(`${serving.url}${paths.anthropic}`, { method: 'POST', body, headers }).then(
          ({ status, headers: answer }) => `${status} ${answer.get('x-palimpsest')}`,
        )
      expect(serving.errors).toMatch(/the disk is full[\s\S]*requests are sent unchanged until/)
      const body = bodies.at(-1) as string
      expect(await ask(body)).toMatch(/^200 bypass; reason=store-full/)
      expect(served.upstream.received.at(-1)?.body.toString()).toBe(body)
      writeFileSync(path.join(served.folder, 'room'), '')
      await expect.poll(() => ask(body), { timeout: 15_000 }).toMatch(/^200 before=/)
    },
    60_000,
  )
})
