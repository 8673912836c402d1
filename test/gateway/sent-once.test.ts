import { once } from 'node:events'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Gateway, startGateway, upstreamsWith } from '../../src/gateway/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { post, type Reply } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
const small = storyBodies('anthropic', { turns: 2 }).at(-1) as string
const large = JSON.stringify({ messages: [], padding: 'x'.repeat(3_000_000) })

/** What the provider does with a request of which it has read so much. */
type Treatment = (socket: Socket, read: { readonly all: boolean }) => void

const answers: Treatment = (socket, { all }) => {
  if (all) socket.write(answer)
}

let provider: Server
let gateway: Gateway
let treat: Treatment
let sockets: Socket[]
/** Request heads that the provider has seen. */
let heads: number

beforeEach(async () => {
  treat = answers
  sockets = []
  heads = 0
  provider = net.createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (part) => {
      if (text === '') heads++
      text += part.toString('latin1')
      const body = text.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
      const all = body > 3 && text.length >= body + length
      if (all) text = ''
      treat(socket, { all })
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  gateway = await startGateway({
    store: createMemoryStore(),
    config: { toolMappings: [], warnings: [] },
    upstreams: upstreamsWith({ anthropic: url }),
  })
})
afterEach(async () => {
  await gateway.close(0)
  for (const socket of sockets) socket.destroy()
  provider.close()
})

const ask = (body: string): Promise<Reply> => post(`${gateway.url}${paths.anthropic}`, body)

const breaks: readonly (readonly [string, Treatment])[] = [
  ['resets it at the first byte', (socket) => void socket.resetAndDestroy()],
  ['closes it at the first byte', (socket) => void socket.destroy()],
  ['resets it once it has read all', (socket, { all }) => void (all && socket.resetAndDestroy())],
  ['ends it once it has read all', (socket, { all }) => void (all && socket.end())],
  [
    'changes the protocol',
    (socket, { all }) => {
      if (all) socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
    },
  ],
  [
    'sends no HTTP',
    (socket, { all }) => void (all && socket.write('\u0000\u0001 nonsense\r\n\r\n')),
  ],
  [
    'resets it within the head of its answer',
    (socket, { all }) => {
      if (all) socket.write('HTTP/1.1 200', () => socket.resetAndDestroy())
    },
  ],
]

describe.each([
  ['a new', false],
  ['a kept', true],
] as const)('a request on %s connection reaches the upstream once', (_, isKept) => {
  it.each(breaks)('when the upstream %s', async (_name, broken) => {
    for (const body of [small, large]) {
      treat = answers
      if (isKept) expect((await ask(small)).status).toBe(200)
      const [seen, connections] = [heads, sockets.length]
      treat = broken
      const reply = await ask(body)
      expect([reply.status, heads - seen]).toEqual([502, 1])
      if (isKept) expect(sockets.length).toBe(connections)
      expect(JSON.parse(reply.body).error.message).toMatch(
        /ECONNRESET|EPIPE|HPE_INVALID|changed the protocol/,
      )
    }
  })
})

describe('a kept connection that the upstream closed while nobody used it', () => {
  it.each([
    ['with FIN', 'end'],
    ['with RST', 'resetAndDestroy'],
  ] as const)('%s costs the client nothing', async (_, close) => {
    for (let round = 1; round <= 20; round++) {
      expect((await ask(small)).status).toBe(200)
      const asking = ask(small)
      // The request is on its way to the gateway, and the upstream's connection is closed meanwhile.
      sockets.at(-1)?.[close]()
      expect((await asking).status).toBe(200)
      expect([sockets.length, heads]).toEqual([round + 1, 2 * round])
    }
  })
})

describe('a kept connection that is closed in the moment in which a request comes', () => {
  it.each([
    ['with FIN', 'destroy'],
    ['with RST', 'resetAndDestroy'],
  ] as const)('%s costs the client nothing', async (_, close) => {
    const client = net.connect({ port: gateway.port, host: '127.0.0.1' })
    const head = `POST /off${paths.anthropic} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}`
    const answered = async (): Promise<string> => String((await once(client, 'data'))[0])
    for (let round = 1; round <= 10; round++) {
      client.write(head)
      expect(await answered()).toMatch(/^HTTP\/1.1 200/)
      // The gateway sees both at once, the request first.
      client.write(head)
      sockets.at(-1)?.[close]()
      expect(await answered()).toMatch(/^HTTP\/1.1 200/)
      expect([sockets.length, heads]).toEqual([round + 1, 2 * round])
    }
    client.destroy()
  })
})

describe('connections to the upstream', { timeout: 20_000 }, () => {
  it('are kept for the next request, and not for longer than a few seconds', async () => {
    await ask(small)
    await ask(small)
    expect(sockets).toHaveLength(1)
    await Promise.race([once(sockets[0] as Socket, 'end'), sleep(8_000)])
    expect((await ask(small)).status).toBe(200)
    expect(sockets).toHaveLength(2)
  })

  it('are left alone while an answer takes long', async () => {
    treat = (socket, { all }) => {
      if (all) setTimeout(() => socket.write(answer), 6_000)
    }
    expect((await ask(small)).status).toBe(200)
    expect(heads).toBe(1)
  })
})
