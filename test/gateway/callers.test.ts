import http from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Gateway,
  type GatewayOptions,
  type OwnRoute,
  startGateway,
  upstreamsWith,
} from '../../src/gateway/index.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'
import { paths, storyBodies } from './story.ts'

type Headers = Readonly<Record<string, string>>

const body = storyBodies('anthropic', { turns: 2 }).at(-1) as string
const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x' }
const mcp: OwnRoute = { path: '/mcp', fetch: () => new Response('own') }

interface RouteCase {
  readonly name: string
  readonly method: string
  readonly path: string
  /** What a caller that is welcome gets. */
  readonly status: number
  readonly headers?: Headers
}

const routes: readonly RouteCase[] = [
  { name: 'a model', method: 'POST', path: paths.anthropic, status: 200 },
  { name: 'a model, switched off', method: 'POST', path: `/off${paths.anthropic}`, status: 200 },
  { name: 'a named upstream', method: 'POST', path: '/local/v1/chat/completions', status: 200 },
  { name: 'the list of models', method: 'GET', path: '/v1/models', status: 200 },
  { name: 'what is only passed on', method: 'POST', path: '/v1/embeddings', status: 200 },
  { name: 'the status', method: 'GET', path: '/palimpsest/status', status: 200 },
  { name: 'MCP', method: 'POST', path: '/mcp', status: 200 },
  { name: 'a handshake', method: 'GET', path: '/v1/realtime', status: 200, headers: upgrade },
  {
    name: 'a model’s handshake',
    method: 'GET',
    path: '/v1/responses',
    status: 426,
    headers: upgrade,
  },
  { name: 'a handshake of MCP', method: 'GET', path: '/mcp', status: 200, headers: upgrade },
]

let upstream: RecordingUpstream
let store: Store
let gateway: Gateway
const gateways: Gateway[] = []

async function start(options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  const { url } = upstream
  const started = await startGateway({
    store,
    config: { toolMappings: [], warnings: [] },
    upstreams: upstreamsWith({ anthropic: url, openai: url, local: `${url}/base/v1` }),
    ownRoutes: [mcp],
    ...options,
  })
  gateways.push(started)
  return started
}

beforeAll(async () => {
  upstream = await startRecordingUpstream()
  store = createMemoryStore()
  gateway = await start({ allowedHosts: ['gateway.test', 'app.test:3000'] })
})
afterAll(async () => {
  for (const each of gateways) await each.close(0)
  await upstream.stop()
})

interface Reply {
  readonly status: number
  readonly text: string
}

function ask(
  { method, path, headers }: Omit<RouteCase, 'name' | 'status'>,
  more: Headers = {},
  { port }: Gateway = gateway,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, ...more }
    const options = { port, host: '127.0.0.1', method, path, headers: sent, agent: false }
    const request = http.request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject)
    request.end(method === 'POST' ? body : '')
  })
}

const own = (): string => `127.0.0.1:${gateway.port}`

const foreign: readonly (readonly [name: string, headers: () => Headers, said: RegExp])[] = [
  ['a rebound name', () => ({ host: 'evil.example' }), /Host header .*--allow-host/],
  ['a rebound name with our port', () => ({ host: `evil.example:${gateway.port}` }), /Host header/],
  ['a name that begins like ours', () => ({ host: '127.0.0.1.evil.example' }), /Host header/],
  ['a name behind a user', () => ({ host: 'localhost@evil.example' }), /Host header/],
  [
    'a rebound page',
    () => ({
      host: 'evil.example',
      origin: 'http://evil.example',
      'sec-fetch-site': 'same-origin',
    }),
    /Host header/,
  ],
  ['a page of another site', () => ({ origin: 'https://evil.example' }), /Origin: .*--allow-host/],
  ['a page of another port here', () => ({ origin: 'http://localhost:3000' }), /Origin/],
  ['a sandboxed page', () => ({ origin: 'null' }), /Origin: null/],
  ['an origin that is none', () => ({ origin: 'evil' }), /Origin/],
  ['an allowed name on another port', () => ({ origin: 'http://app.test:3001' }), /Origin/],
  [
    'a form of another site',
    () => ({ origin: 'https://evil.example', 'content-type': 'text/plain' }),
    /Origin/,
  ],
  ['an image of another site', () => ({ 'sec-fetch-site': 'cross-site' }), /Sec-Fetch-Site/],
  ['an image of another port here', () => ({ 'sec-fetch-site': 'same-site' }), /Sec-Fetch-Site/],
]

const welcome: readonly (readonly [name: string, headers: () => Headers])[] = [
  ['localhost', () => ({ host: `localhost:${gateway.port}` })],
  ['LOCALHOST without a port', () => ({ host: 'LOCALHOST' })],
  ['another loopback address', () => ({ host: '127.8.8.8:80' })],
  ['IPv6', () => ({ host: `[::1]:${gateway.port}` })],
  ['an allowed name', () => ({ host: `gateway.test:${gateway.port}` })],
  ['our own page', () => ({ origin: `http://${own()}`, 'sec-fetch-site': 'same-origin' })],
  ['our own page by another name', () => ({ origin: `http://localhost:${gateway.port}` })],
  ['the address bar', () => ({ 'sec-fetch-site': 'none' })],
  [
    'a page that is allowed',
    () => ({ origin: 'http://app.test:3000', 'sec-fetch-site': 'cross-site' }),
  ],
  ['an editor', () => ({ origin: 'vscode-webview://1a2b', 'sec-fetch-site': 'cross-site' })],
  ['a desktop app', () => ({ origin: 'tauri://localhost' })],
  ['an Electron app from a file', () => ({ origin: 'file://' })],
]

describe('on loopback', () => {
  it.each(foreign)('no route answers to %s', async (_, headers, said) => {
    const [received, sessions] = [upstream.received.length, (await store.sessions()).length]
    for (const route of routes) {
      const { status, text } = await ask(route, { 'x-session-id': 'foreign', ...headers() })
      expect([route.name, status]).toEqual([route.name, 403])
      expect(JSON.parse(text).error.message).toMatch(said)
    }
    expect(upstream.received.length).toBe(received)
    expect((await store.sessions()).length).toBe(sessions)
  })

  it.each(welcome)('every route answers to %s', async (_, headers) => {
    for (const route of routes) {
      const { status } = await ask(route, headers())
      expect([route.name, status]).toEqual([route.name, route.status])
    }
  })
})

describe('elsewhere', () => {
  const reach = (more: Partial<GatewayOptions>): Promise<Gateway> =>
    start({ host: '0.0.0.0', token: 'open-sesame', ...more })
  const token = { 'x-palimpsest-token': 'open-sesame' }
  const any = { ...token, host: 'any.example' }

  it('a gateway has any name, and pages of other sites are refused all the same', async () => {
    const anywhere = await reach({})
    for (const route of routes) {
      const { status } = await ask(route, any, anywhere)
      expect([route.name, status]).toEqual([route.name, route.status])
      const page = await ask(route, { ...any, origin: 'https://evil.example' }, anywhere)
      expect([route.name, page.status]).toEqual([route.name, 403])
    }
  })

  it('it has only the names that are allowed, once there are some', async () => {
    const named = await reach({ allowedHosts: ['gateway.test'] })
    for (const route of routes) {
      const { status } = await ask(route, any, named)
      expect([route.name, status]).toEqual([route.name, 403])
      const allowed = await ask(route, { ...token, host: 'gateway.test' }, named)
      expect([route.name, allowed.status]).toEqual([route.name, route.status])
    }
  })

  it('a token is required, and an empty one is none', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(/requires a token/)
    for (const empty of ['', '  '])
      await expect(start({ host: '0.0.0.0', token: empty })).rejects.toThrow(/token .*is empty/)
    const guarded = await reach({})
    const status = { method: 'GET', path: '/palimpsest/status' }
    const shown: readonly Headers[] = [
      {},
      { 'x-palimpsest-token': '' },
      { 'x-palimpsest-token': 'open-sesam' },
      { 'x-palimpsest-token': 'open-sesame-' },
      { authorization: 'Bearer ' },
      { cookie: 'palimpsest-token=' },
    ]
    for (const headers of shown) expect((await ask(status, headers, guarded)).status).toBe(401)
    const inQuery = { method: 'GET', path: '/palimpsest/status?palimpsest-token=' }
    expect((await ask(inQuery, {}, guarded)).status).toBe(401)
    const handshake = { method: 'GET', path: '/v1/realtime', headers: upgrade }
    const refused = await ask(handshake, {}, guarded)
    expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([
      401,
      expect.stringContaining('x-palimpsest-token'),
    ])
  })
})

describe('a path', () => {
  it.each([
    '/local/../secret',
    '/local/../..',
    '/local/v1/../../secret',
    '/local/%2e%2e/secret',
    '/local/%2E./secret',
    '/local/%252e%252e/secret',
    '/local/..%2fsecret',
    '/local/..%5csecret',
    '/local/..\\secret',
    '/local\\..\\..\\secret',
    '/local//../../secret',
    '/local/..;/secret',
    '/off/local/../secret',
    '/v1/models/../../secret',
    '/v1/models/%2e%2e/files',
    'http://evil.example/v1/messages',
    'http://127.0.0.1/local/../secret',
    '*',
  ])('%s cannot leave the upstream’s base path', async (path) => {
    const received = upstream.received.length
    for (const headers of [{}, upgrade])
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect((await ask({ method, path, headers })).status).toBe(400)
    expect(upstream.received.length).toBe(received)
  })

  it.each([
    ['/local/v1/files/a..b', '/base/v1/files/a..b'],
    ['/local/v1/...', '/base/v1/...'],
    ['/local//v1/x', '/base/v1//v1/x'],
    ['/local//evil.example/x', '/base/v1//evil.example/x'],
    ['/local/v1/models/a%2Fb:count?x=../y', '/base/v1/models/a%2Fb:count?x=../y'],
    ['/local/v1/%E2%9C%93%zz/.well-known', '/base/v1/%E2%9C%93%zz/.well-known'],
    ['/local/v1/a\\b', '/base/v1/a\\b'],
  ])('%s arrives byte for byte', async (path, expected) => {
    expect((await ask({ method: 'GET', path })).status).toBe(200)
    expect(upstream.received.at(-1)?.url).toBe(expected)
  })
})
