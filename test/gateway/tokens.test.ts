import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newToken } from '../../src/gateway/tokens/token-text.ts'
import { createMemoryStore, openStore } from '../../src/store/index.ts'
import { bundledCommand } from '../bundled-program.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { post, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const bodies = storyBodies('anthropic', { turns: 3 })
const last = bodies.at(-1) as string
const administrator = { 'x-palimpsest-token': 'the-administrator' }
const key = { 'x-api-key': 'one key for the whole team' }

interface Listed {
  readonly sessions: readonly { readonly key: string }[]
}

let served: ServedCommands
let serving: Serving
let url: string
/** The text of each person's token, by name. */
const tokens = new Map<string, string>()

interface Run {
  readonly code: number
  readonly out: string
}

async function command(...args: readonly string[]): Promise<Run> {
  const store = ['--store', path.join(served.folder, 'team.db')]
  const program = [await bundledCommand(), ...args, ...store]
  const env = { ...process.env, PALIMPSEST_HOME: served.folder }
  return new Promise((resolve) => {
    execFile(process.execPath, program, { cwd: served.folder, env }, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), out }),
    )
  })
}

async function create(name: string, ...more: readonly string[]): Promise<string> {
  const { code, out } = await command('token', 'create', name, ...more, '--json')
  expect(code).toBe(0)
  return (JSON.parse(out) as { token: string }).token
}

const showing = (name: string): Record<string, string> => ({
  'x-palimpsest-token': tokens.get(name) ?? name,
})

async function statusOf(route: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(`${url}${route}`, { headers })).status
}

async function sessionsOf(headers: Record<string, string>): Promise<readonly string[]> {
  const answer = await fetch(`${url}/palimpsest/api/sessions`, { headers })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as Listed).sessions.map((each) => each.key)
}

async function mcp(headers: Record<string, string>, name: string, input: object): Promise<string> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input },
    }),
  })
  return answer.text()
}

beforeAll(async () => {
  served = await serveCommands()
  serving = await served.start('team.db', {
    args: ['--host', '0.0.0.0', '--token', 'the-administrator'],
  })
  url = `http://127.0.0.1:${new URL(serving.url).port}`
  for (const name of ['ana', 'ben']) tokens.set(name, await create(name))
  // The same provider key, the same session name and the same words: only the token differs.
  for (const name of ['ana', 'ben'])
    for (const body of bodies)
      await post(`${url}${paths.anthropic}`, body, {
        ...key,
        ...showing(name),
        'x-session-id': 'same',
      })
  await sleep(300)
}, 120_000)
afterAll(() => served.stop())

describe('a named token', { timeout: 120_000 }, () => {
  it('is shown once and kept as a hash', async () => {
    const text = tokens.get('ana') ?? ''
    expect(text).toMatch(/^pal_[0-9a-f]{10}_[\w-]{32}$/)
    const secret = text.slice(-32)
    for (const file of ['team.db', 'team.db-wal'])
      expect(readFileSync(path.join(served.folder, file)).includes(secret)).toBe(false)
    expect((await command('token', 'list', '--json')).out).not.toContain(secret)
  })

  it('is not sent to the provider', () => {
    expect(served.upstream.received.length).toBeGreaterThan(0)
    for (const { headers } of served.upstream.received)
      expect(headers['x-palimpsest-token']).toBeUndefined()
  })

  it('shows the sessions of its owner, and the administrator’s shows all', async () => {
    const [ana, ben] = [await sessionsOf(showing('ana')), await sessionsOf(showing('ben'))]
    expect([ana.length, ben.length]).toEqual([1, 1])
    expect(ana).not.toEqual(ben)
    expect([...(await sessionsOf(administrator))].sort()).toEqual([...ana, ...ben].sort())
    const [foreign = ''] = ben
    for (const route of ['', '/files', '/money', '/search?q=a', '/compare'])
      expect([
        route,
        await statusOf(`/palimpsest/api/sessions/${foreign}${route}`, showing('ana')),
      ]).toEqual([route, 404])
    expect(await statusOf(`/palimpsest/api/sessions/${foreign}`, showing('ben'))).toBe(200)
  })

  it('restores handles of its owner’s sessions only, over MCP', async () => {
    const store = await openStore({ kind: 'sqlite', path: path.join(served.folder, 'team.db') })
    const of = async (owner: string): Promise<readonly string[]> => {
      const [session] = await store.sessions({ owner })
      const { messages } = await store.load(session!)
      return messages.flatMap(({ handles }) => handles)
    }
    const [ana, ben] = [await of('ana'), await of('ben')]
    await store.close()
    const carol = await create('carol')
    const [handle = ''] = ana
    expect(ben).toContain(handle)
    const asked = { handle }
    expect(await mcp(showing('ana'), 'context_restore', asked)).not.toContain(
      'no original is known',
    )
    expect(await mcp({ 'x-palimpsest-token': carol }, 'context_restore', asked)).toContain(
      'no original is known',
    )
    expect(await mcp({ 'x-palimpsest-token': carol }, 'context_info', {})).toContain('No session')
  })

  it('may change its own sessions and nothing of the others', async () => {
    const act = async (route: string, body: object, name: string): Promise<number> =>
      (
        await fetch(`${url}/palimpsest/api${route}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: showing(name),
        })
      ).status
    const [own = ''] = await sessionsOf(showing('ana'))
    const [foreign = ''] = await sessionsOf(showing('ben'))
    expect(await act('/pause', { session: own, paused: true }, 'ana')).toBe(200)
    expect(await act('/pause', { session: own, paused: false }, 'ana')).toBe(200)
    expect(await act('/pause', { session: foreign, paused: true }, 'ana')).toBe(404)
    expect(await act('/pause', { paused: true }, 'ana')).toBe(403)
    expect(await act('/memory/forget', { id: 'fact_1' }, 'ana')).toBe(404)
    expect(await statusOf('/palimpsest/api/settings', showing('ana'))).toBe(403)
    expect(await statusOf('/palimpsest/api/settings', administrator)).toBe(200)
  })

  it('opens the dashboard’s page, which keeps it in a cookie', async () => {
    const text = tokens.get('ana') ?? ''
    const answer = await fetch(`${url}/?palimpsest-token=${text}`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringContaining(`palimpsest-token=${text}; Path=/; HttpOnly`),
    ])
    expect(await sessionsOf({ cookie: `palimpsest-token=${text}` })).toHaveLength(1)
  })

  it.each([
    ['another secret', () => `${(tokens.get('ana') ?? '').slice(0, -32)}${'A'.repeat(32)}`],
    ['an unknown id', () => newToken().text],
    ['no whole token', () => (tokens.get('ana') ?? '').slice(0, -1)],
  ])('with %s is refused everywhere, also where none is required', async (_, text) => {
    const shown = { 'x-palimpsest-token': text() }
    expect(await statusOf('/palimpsest/api/sessions', shown)).toBe(401)
    const received = served.upstream.received.length
    const answer = await post(`${url}${paths.anthropic}`, last, { ...key, ...shown })
    expect([answer.status, answer.body]).toEqual([401, expect.stringContaining('is not known')])
    expect(served.upstream.received.length).toBe(received)
  })

  it('counts what was sent with it', async () => {
    const { out } = await command('token', 'list', '--json')
    const { owners } = JSON.parse(out) as {
      owners: readonly { owner: string; statistics: Record<string, number> }[]
    }
    expect(owners.map(({ owner }) => owner)).toEqual(['ana', 'ben'])
    expect(owners.map(({ statistics }) => statistics.requests)).toEqual([3, 3])
    expect((await command('token', 'list')).out).toMatch(
      /^ana {2}1 sessions, 3 requests, .* saved/m,
    )
  })

  it('is refused by every gateway within seconds of its revocation, and after its end', async () => {
    const second = await served.start('team.db', {
      args: ['--host', '0.0.0.0', '--token', 'the-administrator'],
    })
    const gateways = [serving, second].map((each) => new URL(each.url).port)
    const ask = (text: string): Promise<number[]> =>
      Promise.all(
        gateways.map(async (port) => {
          const headers = { 'x-palimpsest-token': text }
          return (await fetch(`http://127.0.0.1:${port}/palimpsest/status`, { headers })).status
        }),
      )
    const [dora, brief] = [await create('dora'), await create('eve', '--expires', '8s')]
    const afterItsEnd = sleep(8_500)
    expect([await ask(dora), await ask(brief)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    const revoked = await command('token', 'revoke', 'dora')
    expect([revoked.code, revoked.out]).toEqual([0, expect.stringMatching(/^revoked \w+ of dora/)])
    await sleep(2_500)
    expect(await ask(dora)).toEqual([401, 401])
    await afterItsEnd
    expect(await ask(brief)).toEqual([401, 401])
    expect((await command('token', 'revoke', 'dora')).code).toBe(1)
    await second.end('SIGKILL')
  })
})

describe('while the store does not answer', () => {
  it('an unknown token opens nothing, a known one goes on, and models are reached', async () => {
    const store = createMemoryStore()
    let isDown = false
    const now = { at: Date.now() }
    const { team } = store
    const setting = await startSetting({
      token: 'the-administrator',
      now: () => now.at,
      store: {
        ...store,
        team: {
          ...team,
          findToken: async (id) => {
            if (isDown) throw new Error('down')
            return team.findToken(id)
          },
        },
      },
    })
    const [known, other] = [newToken(), newToken()]
    for (const [at, { id, hash }] of [known, other].entries())
      await team.addToken({
        id,
        hash,
        name: `person-${at}`,
        createdAt: 0,
        expiresAt: null,
        revokedAt: null,
      })
    const ask = async ({ text }: { readonly text: string }): Promise<number> =>
      (
        await fetch(`${setting.gateway.url}/palimpsest/status`, {
          headers: { 'x-palimpsest-token': text },
        })
      ).status
    expect(await ask(known)).toBe(200)
    isDown = true
    now.at += 60_000
    expect([await ask(known), await ask(other)]).toEqual([200, 503])
    const shown = { 'x-palimpsest-token': other.text }
    expect((await setting.post(paths.anthropic, last, shown)).status).toBe(200)
    await setting.stop()
  })
})
