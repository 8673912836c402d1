import { once } from 'node:events'
import http from 'node:http'
import net, { type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayLimits } from '../../src/config/config.ts'
import { plainAnswer } from './recording-upstream.ts'
import { post, type Reply, type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting
const sockets: Socket[] = []

async function start(limits: GatewayLimits = {}): Promise<Setting> {
  setting = await startSetting({ config: { limits } })
  return setting
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await setting.stop()
})

const body = storyBodies('anthropic').at(-1) as string
const bodyBytes = Buffer.from(body)
const ask = (sent: string = body, headers: Record<string, string> = {}): Promise<Reply> =>
  setting.post(paths.anthropic, sent, { 'x-session-id': 's', ...headers })

/** A connection that sends this, and what it was answered when the gateway closed it. */
interface Talk {
  readonly socket: Socket
  readonly closed: Promise<string>
}

async function talk(text: string, localAddress = '127.0.0.1'): Promise<Talk> {
  const { port } = setting.gateway
  const socket = net.connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return { socket, closed: once(socket, 'close').then(() => answer) }
}

const head = (length: number, path: string = paths.anthropic): string =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nx-session-id: s\r\ncontent-length: ${length}\r\n\r\n`

/** Answers that do not end until the test does. */
function answerEndlessly(): void {
  setting.upstream.answerWith((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {}\n\n')
  })
}

function stream(headers: Record<string, string> = {}, localAddress = '127.0.0.1'): Promise<number> {
  const { port } = setting.gateway
  const options = { method: 'POST', port, host: '127.0.0.1', agent: false, localAddress } as const
  const request = http.request({ ...options, path: paths.anthropic, headers })
  request.on('error', () => {})
  request.end(body)
  return new Promise((resolve) => {
    request.on('response', (response) => {
      sockets.push(response.socket)
      response.on('error', () => {}).resume()
      resolve(response.statusCode ?? 0)
    })
  })
}

describe('a client that stops', { timeout: 60_000 }, () => {
  it.each([
    ['before its request', ''],
    ['in the head of its request', `POST ${paths.anthropic} HTTP/1.1\r\nhost: 127.0.0.1\r\n`],
    ['before its body', head(1_000)],
    ['in its body', `${head(1_000)}{"messages":`],
    ['in the body of a request that is passed on', `${head(1_000, '/v1/files')}half`],
    ['in the body of a request that is refused', `${head(1_000, '/../x')}half`],
  ])('%s is not waited for, however often', async (_where, text) => {
    await start({ idleSeconds: 1 })
    const talks = await Promise.all(Array.from({ length: 200 }, () => talk(text)))
    expect((await ask()).status).toBe(200)
    const answers = await Promise.all(talks.map(({ closed }) => closed))
    const isRefused = text.includes('..')
    for (const answer of answers)
      if (text !== '') expect(answer).toMatch(isRefused ? /^HTTP\/1.1 400 / : /^HTTP\/1.1 408 /)
    expect(setting.upstream.received.map(({ url }) => url)).toEqual([paths.anthropic])
  })

  it('is waited for while it sends, however slowly', async () => {
    await start({ idleSeconds: 1 })
    const { socket } = await talk(head(bodyBytes.length))
    const step = Math.ceil(bodyBytes.length / 6)
    for (let at = 0; at < bodyBytes.length; at += step) {
      socket.write(bodyBytes.subarray(at, at + step))
      await sleep(400)
    }
    await expect.poll(() => setting.upstream.received.length).toBe(1)
    expect(setting.upstream.received[0]?.body.length).toBeLessThan(body.length)
  })

  it('in the middle of 8 MB makes no other wait', async () => {
    await start()
    await talk(`${head(8 * 1024 * 1024)}{"messages":[{"role":"user","content":"${'x'.repeat(7e6)}`)
    await sleep(100)
    const startedAt = performance.now()
    const { headers } = await ask()
    expect(headers['x-palimpsest']).toMatch(/^before=/)
    expect(performance.now() - startedAt).toBeLessThan(1_500)
  })
})

describe('too many', { timeout: 60_000 }, () => {
  it('connections are refused with 503, once none is left that only waits', async () => {
    await start({ connections: 3 })
    const idle = await talk('')
    answerEndlessly()
    expect([await stream(), await stream(), await stream()]).toEqual([200, 200, 200])
    expect(await idle.closed).toBe('')
    const answer = await (await talk(head(0))).closed
    expect(answer).toMatch(/^HTTP\/1.1 503 /)
    expect(answer).toMatch(/retry-after: 1\r\n/)
    sockets.at(-2)?.destroy()
    await expect.poll(() => stream()).toBe(200)
  })

  it('connections of one address are refused with 429, and those of others are not', async () => {
    await start({ connectionsPerClient: 2 })
    answerEndlessly()
    expect([await stream(), await stream()]).toEqual([200, 200])
    expect(await (await talk(head(0))).closed).toMatch(/^HTTP\/1.1 429 /)
    expect(await stream({}, '127.0.0.2')).toBe(200)
  })

  it('requests of one client are refused with 429, and those of others are not', async () => {
    await start({ requestsPerClient: 2 })
    answerEndlessly()
    const key = { 'x-api-key': 'one' }
    expect([await stream(key), await stream(key)]).toEqual([200, 200])
    const refused = await ask(body, key)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    expect(await stream({ 'x-api-key': 'two' })).toBe(200)
    sockets[0]?.destroy()
    await expect.poll(() => stream(key)).toBe(200)
  })

  it('bytes for memory are forwarded as they come, and pruning goes on when there is room', async () => {
    await start({ bodyMegabytes: 1 })
    const stalled = await talk(`${head(2e6)}${'x'.repeat(900_000)}`)
    await sleep(100)
    const large = JSON.stringify({ ...JSON.parse(body), metadata: { note: 'y'.repeat(300_000) } })
    const { status, headers } = await ask(large)
    expect([status, headers['x-palimpsest']]).toEqual([200, 'bypass; reason=busy'])
    expect(setting.upstream.received.at(-1)?.body.toString()).toBe(large)
    expect(setting.gateway.status().bypasses).toEqual({ busy: 1 })
    stalled.socket.destroy()
    await sleep(100)
    expect((await ask(large)).headers['x-palimpsest']).toMatch(/^before=/)
  })

  it('bytes for a route of our own are refused with 413', async () => {
    await start()
    const length = { 'content-length': String(65 * 1024 * 1024) }
    const url = `${setting.gateway.url}/palimpsest/status`
    expect((await post(url, '', length)).status).toBe(413)
  })
})

describe('a client that does not read', { timeout: 60_000 }, () => {
  it('holds up its provider, and takes no memory for what it has not read', async () => {
    await start()
    const chunk = Buffer.alloc(64 * 1024, 'z')
    let written = 0
    setting.upstream.answerWith(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let count = 0; count < 2_000; count++) {
        written += chunk.length
        if (!response.write(chunk)) await once(response, 'drain')
      }
      response.end()
    })
    const { socket } = await talk(head(bodyBytes.length) + body)
    socket.pause()
    await sleep(500)
    const held = written
    await sleep(500)
    // The rest of 128 MB waits at the provider. What was written is in the buffers of the network.
    expect(written).toBe(held)
    expect(written).toBeLessThan(64 * 1024 * 1024)
    setting.upstream.answerWith(plainAnswer)
    expect((await ask()).status).toBe(200)
    socket.resume()
    await expect.poll(() => written, { timeout: 20_000 }).toBe(2_000 * chunk.length)
  })
})
