import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSqlite } from '../../src/store/sqlite/driver.ts'
import { canMount } from '../store/mounting.ts'
import type { RecordingUpstream } from './recording-upstream.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { post, type Reply } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let served: ServedCommands
let folder: string
let upstream: RecordingUpstream

beforeEach(async () => {
  served = await serveCommands()
  folder = served.folder
  upstream = served.upstream
}, 120_000)
afterEach(() => served.stop())

const bodies = storyBodies('anthropic')

function ask({ url }: Serving, body: string, session = 's'): Promise<Reply> {
  return post(`${url}${paths.anthropic}`, body, { 'x-session-id': session })
}

function expectPassed(reply: Reply, body: string, reason: string): void {
  expect(reply.status).toBe(200)
  expect(reply.headers['x-palimpsest']).toMatch(new RegExp(`^bypass; reason=${reason};?`))
  const arrived = upstream.received.findLast(({ url }) => url === paths.anthropic)
  expect(arrived?.sha256).toBe(hash('sha256', body))
}

/** What was left out before stays so, because the provider has it in its cache, and nothing new is left out. */
function expectResent(reply: Reply, before: string, body: string, reason: string): string {
  expect(reply.status).toBe(200)
  expect(reply.headers['x-palimpsest']).toMatch(new RegExp(`unsaved=${reason}$`))
  const arrived = upstream.received.findLast(({ url }) => url === paths.anthropic)?.body.toString()
  const messagesOf = (text = '{}') => (JSON.parse(text) as { messages: unknown[] }).messages
  const [earlier, now, original] = [before, arrived, body].map(messagesOf)
  expect(now).toEqual([...(earlier ?? []), ...(original?.slice(earlier?.length) ?? [])])
  return arrived ?? ''
}

describe('palimpsest serve', () => {
  it('sends what was decided while another process holds the store, and holds up no others', async () => {
    const bodies = storyBodies('anthropic', { turns: 20 })
    const file = path.join(folder, 'held.db')
    const serving = await served.start('held.db')
    for (const body of bodies.slice(0, 8)) await ask(serving, body)
    // The figures of the last answer are written a moment later, and would wait for the store too.
    await sleep(300)
    const other = (await loadSqlite())(file)
    other.exec('begin immediate')
    const before = upstream.received.at(-1)?.body.toString() ?? ''
    expect(before.length).toBeLessThan((bodies[7] ?? '').length)
    const [body = '', next = ''] = bodies.slice(8)
    let isOver = false
    const held = ask(serving, body).finally(() => {
      isOver = true
    })
    const beside = await post(`${serving.url}/off${paths.anthropic}`, body)
    expect([beside.status, isOver]).toEqual([200, false])
    const resent = expectResent(await held, before, body, 'store-locked')
    // From then on nobody waits for it.
    expectResent(await ask(serving, next), resent, next, 'store-locked')
    other.exec('rollback')
    other.close()
    await serving.end('SIGTERM')
    const last = bodies.at(-1) as string
    expect((await ask(await served.start('held.db'), last)).headers['x-palimpsest']).toMatch(
      /^before=/,
    )
    expect(upstream.received.at(-1)?.body.length).toBeLessThan(last.length / 2)
  }, 60_000)

  it.skipIf(!canMount)(
    'lets requests through when the disk of the store is full [needs unshare]',
    async () => {
      const place = path.join(folder, 'full')
      mkdirSync(place)
      const script = `mount -t tmpfs -o size=1200k tmpfs '${place}' && exec "$0" "$@"`
      const within = ['unshare', '--mount', '--map-root-user', 'sh', '-c', script]
      const serving = await served.start('full/store.db', { within })
      const first = await ask(serving, bodies.at(-1) as string)
      expect(first.headers['x-palimpsest']).toMatch(/^before=/)
      let body = ''
      let reply = first
      for (let session = 0; session < 40; session++) {
        if (String(reply.headers['x-palimpsest']).startsWith('bypass')) break
        const prompt = randomBytes(60_000).toString('base64')
        body = storyBodies('anthropic', { prompt, turns: 2 }).at(-1) as string
        reply = await ask(serving, body, `noise-${session}`)
      }
      expectPassed(reply, body, 'store-full')
      const known = await ask(serving, bodies.at(-1) as string)
      expect(known.headers['x-palimpsest']).toMatch(/unsaved=store-full$/)
      expect(upstream.received.at(-1)?.body.length).toBeLessThan(
        (bodies.at(-1) as string).length / 2,
      )
    },
    60_000,
  )

  it('says what to do about a file that is no store, and leaves it alone', async () => {
    const file = path.join(folder, 'prose.db')
    writeFileSync(file, 'this is no database, '.repeat(100))
    const ending = await served.start('prose.db').catch(String)
    expect(ending).toMatch(/ended with 2/)
    expect(ending).toContain(
      `${file}: the file is not a SQLite database; name another with --store`,
    )
  }, 60_000)
})
