import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import http, {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayStatus } from '../../src/gateway/index.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import type { Serving } from './serving.ts'
import { paths } from './story.ts'

const streamCount = 20
const lateMs = 60
const token = 'open-sesame'

/** How a provider may treat a handshake, by the name in the query. */
const treatments: Readonly<Record<string, (socket: Socket) => void | Promise<void>>> = {
  async 'late-404'(socket) {
    await sleep(lateMs)
    socket.write('HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n')
    for (let at = 0; at < 20; at++) socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`)
    socket.end('0\r\n\r\n')
  },
  async 'late-101'(socket) {
    await sleep(lateMs)
    socket.write(switching)
    for (let at = 0; at < 20; at++) socket.write('y'.repeat(0x4000))
  },
  'never answers': () => {},
  resets: (socket) => void socket.resetAndDestroy(),
  closes: (socket) => void socket.end(),
  'resets within its answer'(socket) {
    socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 100\r\n\r\nhalf', () =>
      socket.resetAndDestroy(),
    )
  },
  'resets within its head'(socket) {
    socket.write('HTTP/1.1 101 Switching Pro', () => socket.resetAndDestroy())
  },
  'resets once switched'(socket) {
    socket.write(switching, () => socket.resetAndDestroy())
  },
  'sends no HTTP': (socket) => void socket.write('\u0000\u0001nonsense\r\n\r\n'),
}
const switching =
  'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n'

let served: ServedCommands
let serving: Serving
let provider: Server
let socketsBefore = 0
const streams: ServerResponse[] = []

beforeAll(async () => {
  served = await serveCommands()
  provider = createServer((request, response) => {
    request.resume()
    request.on('error', () => {})
    if (request.headers['x-stream'] === undefined) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    streams.push(response)
  })
  provider.on('upgrade', (request, socket) => {
    socket.on('error', () => {}).on('end', () => socket.destroy())
    socket.resume()
    const treat = decodeURIComponent(/\?(.*)$/.exec(request.url ?? '')?.[1] ?? '')
    void treatments[treat]?.(socket as Socket)
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const named = ['anthropic', 'openai', 'gemini'].flatMap((name) => [
    '--upstream',
    `${name}=${url}`,
  ])
  serving = await served.start('store.db', { args: [...named, '--token', token] })
  if (isLinux) socketsBefore = socketsHeld()
}, 120_000)
afterAll(async () => {
  provider.close()
  provider.closeAllConnections()
  await served.stop()
})

/** On a connection of its own, which does not stay. */
async function ask(
  path: string,
  options: http.RequestOptions,
  body = '',
): Promise<IncomingMessage> {
  const request = http.request(`${serving.url}${path}`, { agent: false, ...options })
  request.end(body)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer.setEncoding('utf8')
}

async function status(): Promise<GatewayStatus> {
  let text = ''
  for await (const part of await ask('/palimpsest/status', {
    headers: { 'x-palimpsest-token': token },
  }))
    text += part
  return JSON.parse(text) as GatewayStatus
}

async function connect(): Promise<Socket> {
  const socket = net.connect({
    port: Number(new URL(serving.url).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const handshake = (treatment: string): string =>
  [
    `GET /v1/realtime?${encodeURIComponent(treatment)} HTTP/1.1`,
    `host: ${new URL(serving.url).host}`,
    'connection: Upgrade',
    'upgrade: websocket',
    `x-palimpsest-token: ${token}`,
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n')

const model = (body: string, length = body.length): string =>
  `POST ${paths.anthropic} HTTP/1.1\r\nhost: ${new URL(serving.url).host}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`

const h2c = (): string =>
  model('{"messages":[]}').replace('\r\n', '\r\nconnection: Upgrade\r\nupgrade: h2c\r\n')

const mcp = (): string =>
  model('{"jsonrpc":"2.0","id":1,"method":"tools/list"}').replace(
    paths.anthropic,
    `/mcp?palimpsest-token=${token}`,
  )

/** What a client has sent when it goes. */
const stages: readonly (readonly [name: string, sent: () => string])[] = [
  ['nothing', () => ''],
  ['half a request line', () => 'GET /v1/rea'],
  ['half its headers', () => handshake('late-404').slice(0, 60)],
  ['half the head of a handshake', () => handshake('late-404').slice(0, -3)],
  ['no HTTP', () => '\u0016\u0003\u0001 nonsense\r\n\r\n'],
  [
    'a handshake on a route of the model',
    () => handshake('').replace('/v1/realtime?', '/v1/responses'),
  ],
  ...Object.keys(treatments).map(
    (name) => [`a handshake to an upstream that ${name}`, () => handshake(name)] as const,
  ),
  ['a handshake and half a frame', () => `${handshake('late-101')}\u0081\u00fe\u0001`],
  ['a handshake without the token', () => handshake('late-404').replace(token, '')],
  [
    'a handshake of a web page',
    () => handshake('late-404').replace('host:', 'origin: null\r\nhost:'),
  ],
  ['half a request to MCP', () => mcp().slice(0, -5)],
  ['a whole request to MCP', mcp],
  ['half a body', () => model('{"messages":[', 4000)],
  ['a whole request', () => model('{"messages":[]}')],
  ['a request that offers HTTP/2', h2c],
  ['half a request that offers HTTP/2', () => h2c().slice(0, -5)],
  ['two requests at once', () => model('{"messages":[]}').repeat(2)],
]

/** How it goes: at once, while the upstream works, or when the upstream has answered. */
const moments = [
  ['at once', 0],
  ['meanwhile', lateMs / 2],
  ['late', lateMs * 2],
] as const

const goings = [
  ['FIN', (socket: Socket) => void socket.end()],
  ['RST', (socket: Socket) => void socket.resetAndDestroy()],
  ['close', (socket: Socket) => void socket.destroy()],
] as const

interface OpenStream {
  readonly events: string[]
  readonly ended: Promise<void>
}

async function openStream(at: number): Promise<OpenStream> {
  const headers = { 'x-stream': 'yes', 'x-session-id': `stream-${at}` }
  const messages = [{ role: 'user', content: `stream ${at}` }]
  const body = JSON.stringify({ model: 'm', messages })
  const answer = await ask(paths.anthropic, { method: 'POST', headers }, body)
  const events: string[] = []
  const read = async (): Promise<void> => {
    let rest = ''
    for await (const part of answer) {
      const texts = `${rest}${part}`.split('\n\n')
      rest = texts.pop() ?? ''
      events.push(...texts)
    }
  }
  return { events, ended: read() }
}

/** Sockets that the gateway's process has open, those of its own input and output included. */
function socketsHeld(): number {
  const folder = `/proc/${serving.child.pid}/fd`
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(path.join(folder, name))
    } catch {
      return ''
    }
  })
  return targets.filter((target) => target.startsWith('socket:')).length
}

const isLinux = process.platform === 'linux'

describe('a gateway with twenty open streams', { timeout: 180_000 }, () => {
  it('goes on with all of them, whatever other connections do', async () => {
    const open = await Promise.all(Array.from({ length: streamCount }, (_, at) => openStream(at)))
    expect(streams).toHaveLength(streamCount)
    let ticks = 0
    const sent: string[] = []
    const ticking = setInterval(() => {
      sent.push(`data: {"tick":${ticks++}}`)
      for (const stream of streams) stream.write(`${sent.at(-1)}\n\n`)
    }, 10)
    const before = await status()

    for (const [, sentOf] of stages) {
      const all = moments.flatMap(([, waitMs]) =>
        goings.map(async ([, go]) => {
          const socket = await connect()
          socket.write(sentOf(), 'latin1')
          await sleep(waitMs)
          // Nothing of what came is read, so that the gateway's writes meet a closed door.
          go(socket)
          await sleep(lateMs * 2)
          socket.destroy()
        }),
      )
      await Promise.all(all)
      expect([serving.child.exitCode, serving.child.signalCode]).toEqual([null, null])
    }

    clearInterval(ticking)
    for (const stream of streams) stream.end()
    await Promise.all(open.map(({ ended }) => ended))
    expect(sent.length).toBeGreaterThan(50)
    for (const { events } of open) expect(events).toEqual(sent)

    const after = await status()
    expect(after.faults.connections).toBeGreaterThan(before.faults.connections)
    expect(after.faults.internal).toBe(0)
  })

  it.runIf(isLinux)('keeps none of the sockets', async () => {
    // Kept connections to the upstream live for a few seconds.
    for (let tries = 0; tries < 150 && socketsHeld() > socketsBefore; tries++) await sleep(100)
    expect(socketsHeld()).toBeLessThanOrEqual(socketsBefore)
  })
})
