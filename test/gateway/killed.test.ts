import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/index.ts'
import { projectRoot } from '../model/project-root.ts'
import { runsOf } from '../soak.ts'
import type { Answer, RecordingUpstream } from './recording-upstream.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { post, startSetting } from './setting.ts'
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

const headers = { 'x-session-id': 's', 'x-api-key': 'sk-very-secret' }
const bodies = storyBodies('anthropic')
const randomKills = runsOf({ short: 6, long: 250 })

/** Far longer than it takes to write a few figures. */
const writingMs = 1_000

/** An answer that says that the provider keeps all of the request for an hour. */
function keptForAnHour(kind: 'plain' | 'streamed'): Answer {
  return (response, { body }) => {
    const written = Math.round(body.length / 4)
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: written,
      cache_creation: { ephemeral_1h_input_tokens: written },
      output_tokens: 5,
    }
    const type = kind === 'plain' ? 'application/json' : 'text/event-stream'
    const said = JSON.stringify({ type: 'message', usage })
    const text = kind === 'plain' ? said : `data: {"message":${said}}\n\ndata: {}\n\n`
    const length = kind === 'plain' ? { 'content-length': Buffer.byteLength(text) } : {}
    response.writeHead(200, { 'content-type': type, ...length })
    response.end(text)
  }
}

async function sent(serving: Serving, body: string): Promise<string> {
  await post(`${serving.url}${paths.anthropic}`, body, headers)
  return upstream.received.at(-1)?.body.toString() ?? ''
}

describe('palimpsest serve', () => {
  it('sends the same bytes after kill -9, whenever it comes', async () => {
    const whole = await served.start('whole.db')
    const expected: string[] = []
    for (const body of bodies) expected.push(await sent(whole, body))
    expect(expected.at(-1)?.length).toBeLessThan((bodies.at(-1)?.length ?? 0) / 2)

    let serving = await served.start('killed.db')
    for (const [turn, body] of bodies.entries()) {
      expect(await sent(serving, body)).toBe(expected[turn])
      if (turn % 4 !== 2) continue
      await serving.end('SIGKILL')
      serving = await served.start('killed.db')
    }
  }, 120_000)

  it(
    'sends the same bytes when it is killed at random moments, and its clients ask again',
    async () => {
      const whole = await served.start('whole.db')
      const expected: string[] = []
      for (const body of bodies) expected.push(await sent(whole, body))
      let state = Number(process.env.PROPERTY_SEED ?? 20261116)
      const random = (): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return state / 2 ** 32
      }
      let kills = 0
      for (let session = 0; kills < randomKills; session++) {
        const name = `random-${session}.db`
        let serving = await served.start(name)
        for (const [turn, body] of bodies.entries()) {
          const before = upstream.received.length
          if (random() < 0.5 && kills < randomKills) {
            const asked = post(`${serving.url}${paths.anthropic}`, body, headers).catch(() => null)
            await sleep(random() * 60)
            await serving.end('SIGKILL')
            await asked
            kills++
            serving = await served.start(name)
          }
          await sent(serving, body)
          for (const { body: arrived } of upstream.received.slice(before))
            expect(arrived.toString()).toBe(expected[turn])
        }
        await serving.end('SIGKILL')
      }
    },
    120_000 * (randomKills / 6),
  )

  it('sends the same bytes when it is killed while an answer is on its way', async () => {
    const whole = await served.start('whole.db')
    const expected: string[] = []
    for (const body of bodies) expected.push(await sent(whole, body))

    let serving = await served.start('killed.db')
    for (const [turn, body] of bodies.entries()) {
      if (turn === 7) {
        const arrived = new Promise<void>((resolve) => {
          upstream.answerWith(() => resolve())
        })
        const broken = post(`${serving.url}${paths.anthropic}`, body, headers).catch(() => null)
        await arrived
        expect(upstream.received.at(-1)?.body.toString()).toBe(expected[turn])
        await serving.end('SIGKILL')
        await broken
        upstream.answerWith((response) => void response.end('{}'))
        serving = await served.start('killed.db')
      }
      expect(await sent(serving, body)).toBe(expected[turn])
    }
  }, 120_000)

  it.each(['plain', 'streamed'] as const)(
    'knows what a %s answer showed of the cache when it is killed once that was written',
    async (kind) => {
      const later = (): number => Date.now() + 330_000
      let time: () => number = Date.now
      const whole = await startSetting({ now: () => time() })
      whole.upstream.answerWith(keptForAnHour(kind))
      for (const body of bodies.slice(0, 10)) await whole.post(paths.anthropic, body, headers)
      time = later
      await whole.post(paths.anthropic, bodies[10] as string, headers)
      const expected = whole.upstream.received.at(-1)?.body.toString()
      await whole.stop()

      const serving = await served.start('killed.db')
      for (const [turn, body] of bodies.slice(0, 10).entries()) {
        if (turn === 9) upstream.answerWith(keptForAnHour(kind))
        await sent(serving, body)
      }
      await sleep(writingMs)
      await serving.end('SIGKILL')
      const store = await openStore({ kind: 'sqlite', path: path.join(folder, 'killed.db') })
      const resumed = await startSetting({ store, now: later })
      const reply = await resumed.post(paths.anthropic, bodies[10] as string, headers)
      expect(reply.headers['x-palimpsest']).not.toContain('opened')
      expect(resumed.upstream.received.at(-1)?.body.toString()).toBe(expected)
      await resumed.stop()
      await store.close()
    },
    60_000,
  )

  it('says where it listens and how to point each agent at it, and ends with 0', async () => {
    const sample = path.join(projectRoot, 'examples', 'sample-session.json')
    const serving = await served.start('polite.db', { args: ['--load', sample] })
    await sent(serving, bodies.at(-1) as string)
    expect(serving.output.split('\n')[0]).toBe(`listening on ${serving.url}`)
    for (const said of [`ANTHROPIC_BASE_URL=${serving.url}`, 'Codex', 'OpenCode', 'Pi'])
      expect(serving.output).toContain(said)
    expect(serving.output).toContain(`sessions are stored in ${path.join(folder, 'polite.db')}`)
    const loaded = /loaded the recorded session (\S+)/.exec(serving.output)?.[1]
    const store = await openStore({ kind: 'sqlite', path: path.join(folder, 'polite.db') })
    const kept = (await store.sessions()).find(({ id }) => id === loaded)
    await store.close()
    expect(kept?.messages).toBeGreaterThan(20)
    expect(await serving.end('SIGTERM')).toBe(0)
  }, 60_000)

  it('says the same as one JSON value when it is asked to, and nothing else', async () => {
    const serving = await served.start('json.db', { args: ['--json', '--token', 'mine'] })
    expect(await serving.end('SIGTERM')).toBe(0)
    const [line = '', ...rest] = serving.output.split('\n')
    expect(rest).toEqual([''])
    expect(JSON.parse(line)).toEqual({
      url: serving.url,
      token: 'mine',
      dashboardToken: 'mine',
      store: path.join(served.folder, 'json.db'),
      loaded: [],
      upstreams: {
        anthropic: `${served.upstream.url}/`,
        openai: `${served.upstream.url}/`,
        gemini: `${served.upstream.url}/`,
      },
    })
  })

  it('lets an answer come to its end before it ends itself', async () => {
    const serving = await served.start('drained.db')
    let finish: () => void = () => {}
    const arrived = new Promise<void>((resolve) => {
      upstream.answerWith((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: one\n\n')
        finish = () => response.end('data: two\n\n')
        resolve()
      })
    })
    const answer = post(`${serving.url}${paths.anthropic}`, bodies[3] as string, headers)
    await arrived
    const ended = serving.end('SIGINT')
    setTimeout(finish, 300)
    expect((await answer).body).toBe('data: one\n\ndata: two\n\n')
    expect(await ended).toBe(0)
  }, 60_000)

  it('wants its token when it can be reached from elsewhere, but for the models', async () => {
    const token = 'a-token-of-the-operator'
    const serving = await served.start('open.db', { args: ['--host', '0.0.0.0', '--token', token] })
    // Its output may be a log.
    expect(serving.output).not.toContain(token)
    expect(serving.output).toContain('token for all routes but the model routes')
    const port = new URL(serving.url).port
    const ask = async (path: string, more: Record<string, string> = {}): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: more })).status
    const given = { 'x-palimpsest-token': token }
    for (const path of ['/palimpsest/status', '/mcp', '/v1/anything']) {
      expect([path, await ask(path)]).toEqual([path, 401])
      expect([path, await ask(path, given)]).not.toEqual([path, 401])
    }
    const model = await post(`http://127.0.0.1:${port}${paths.anthropic}`, bodies[3] as string)
    expect(model.status).toBe(200)
  }, 60_000)

  it('writes no credential anywhere', async () => {
    const serving = await served.start('secret.db')
    for (const body of bodies.slice(0, 4)) await sent(serving, body)
    const gemini = storyBodies('gemini').at(-1) as string
    await post(`${serving.url}${paths.gemini}?key=AIza-very-secret`, gemini)
    await post(`${serving.url}${paths['openai-chat']}`, 'no request', {
      authorization: 'Bearer sk-very-secret',
      'chatgpt-account-id': 'very-secret',
    })
    await serving.end('SIGTERM')
    for (const name of ['secret.db', 'secret.db-wal']) {
      const file = path.join(folder, name)
      if (existsSync(file)) expect(readFileSync(file, 'latin1')).not.toContain('very-secret')
    }
    expect(serving.output + serving.errors).not.toContain('very-secret')
  }, 60_000)
})
