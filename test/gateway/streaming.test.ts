import http, { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { plainAnswer } from './recording-upstream.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting

beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting.stop())

const body = storyBodies('anthropic', { turns: 2 }).at(-1) as string
const events = [
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":7,"cache_read_input_tokens":90,"cache_creation_input_tokens":3,"output_tokens":1}}}\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"grüße 😀"}}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","usage":{"output_tokens":42}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
]
const usage = { input: 100, output: 42, cacheRead: 90, cacheWrite: 3 }

interface OpenRequest {
  readonly request: http.ClientRequest
  readonly response: http.IncomingMessage
}

function open(headers: Readonly<Record<string, string>> = {}): Promise<OpenRequest> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${setting.gateway.url}${paths.anthropic}`,
      { method: 'POST', headers },
      (response) => resolve({ request, response }),
    )
    request.on('error', reject)
    request.end(body)
  })
}

async function keptUsage(session: string): Promise<unknown> {
  for (let tries = 0; tries < 500; tries++) {
    const stored = (await setting.store.sessions()).find(({ id }) => id === session)
    const receipts = stored === undefined ? [] : await setting.store.receipts(stored)
    if (receipts.length > 0) return receipts.at(-1)?.usage
    await sleep(10)
  }
  return 'nothing was kept'
}

describe('a streamed answer', () => {
  it('is passed on piece by piece as it arrives, also where a character is split', async () => {
    const bytes = Buffer.from(events.join(''))
    // Between the bytes of the first letter that has more than one.
    const cut = bytes.indexOf(0xc3) + 1
    let goOn: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    setting.upstream.answerWith(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(bytes.subarray(0, cut))
      await held
      response.end(bytes.subarray(cut))
    })
    const { response } = await open({ 'x-session-id': 'split' })
    const parts: Buffer[] = []
    for await (const part of response) {
      parts.push(part as Buffer)
      // The rest is only sent once the first piece is here.
      goOn()
    }
    expect(Buffer.concat(parts.slice(0, 1))).toEqual(bytes.subarray(0, cut))
    expect(Buffer.concat(parts)).toEqual(bytes)
    expect(await keptUsage('split')).toEqual(usage)
  })

  it('has its headers passed on before its first byte', async () => {
    let goOn: () => void = () => {}
    setting.upstream.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-first': 'yes' })
      response.flushHeaders()
      goOn = () => response.end(events.join(''))
    })
    const { response } = await open()
    expect(response.headers['x-first']).toBe('yes')
    goOn()
    response.resume()
    await new Promise((resolve) => response.on('end', resolve))
  })

  it('stays packed, and its figures are read all the same', async () => {
    const packed = gzipSync(events.join(''))
    setting.upstream.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      for (let at = 0; at < packed.length; at += 20) response.write(packed.subarray(at, at + 20))
      response.end()
    })
    const { response } = await open({ 'x-session-id': 'packed', 'accept-encoding': 'gzip' })
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    expect(Buffer.concat(parts)).toEqual(packed)
    expect(await keptUsage('packed')).toEqual(usage)
  })
})

describe('an answer that is cut off', () => {
  it('by the client ends the request to the upstream', async () => {
    let isGone = false
    setting.upstream.answerWith((response) => {
      response.on('close', () => {
        isGone = true
      })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(events[0])
    })
    const { request, response } = await open()
    response.on('error', () => {})
    await new Promise((resolve) => response.once('data', resolve))
    request.destroy()
    for (let tries = 0; tries < 200 && !isGone; tries++) await sleep(10)
    expect(isGone).toBe(true)
  })

  it('by the client before it began ends it too', async () => {
    let isGone = false
    let arrived: () => void = () => {}
    const there = new Promise<void>((resolve) => {
      arrived = resolve
    })
    setting.upstream.answerWith((response) => {
      arrived()
      response.on('close', () => {
        isGone = true
      })
    })
    const request = http.request(`${setting.gateway.url}${paths.anthropic}`, { method: 'POST' })
    request.on('error', () => {})
    request.end(body)
    await there
    request.destroy()
    for (let tries = 0; tries < 200 && !isGone; tries++) await sleep(10)
    expect(isGone).toBe(true)
  })

  it('by the client while it was decided about is not sent at all', async () => {
    const memory = createMemoryStore()
    let decide: () => void = () => {}
    let reached: () => void = () => {}
    const atStore = new Promise<void>((resolve) => {
      reached = resolve
    })
    const goesOn = new Promise<void>((resolve) => {
      decide = resolve
    })
    const store: Store = {
      ...memory,
      append: async (...args) => {
        reached()
        await goesOn
        return memory.append(...args)
      },
    }
    const slow = await startSetting({ store })
    const request = http.request(`${slow.gateway.url}${paths.anthropic}`, { method: 'POST' })
    request.on('error', () => {})
    request.end(body)
    await atStore
    request.destroy()
    await sleep(50)
    decide()
    await sleep(150)
    expect(slow.upstream.received).toEqual([])
    await slow.stop()
  })

  it('by the upstream does not look like one that ended', async () => {
    setting.upstream.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(events[0], () => response.destroy())
    })
    const { response } = await open()
    const ending = await new Promise((resolve) => {
      response.on('data', () => {})
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      response.on('end', () => resolve('ended'))
    })
    expect(ending).toBe('ECONNRESET')
  })
})

describe('a kept connection that the upstream has closed', () => {
  it('costs the client nothing, however many there are', async () => {
    const sockets = new Set<Socket>()
    const held: ServerResponse[] = []
    const server = createServer((request, response) => {
      sockets.add(request.socket)
      request.resume()
      request.on('end', () => {
        held.push(response)
        // The first waits for the second, so that there are two connections to keep.
        if (sockets.size > 1) for (const each of held.splice(0)) each.end('{}')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { startGateway, upstreamsWith } = await import('../../src/gateway/index.ts')
    const gateway = await startGateway({
      store: setting.store,
      config: { toolMappings: [], warnings: [] },
      upstreams: upstreamsWith({
        anthropic: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      }),
    })
    const large = JSON.stringify({ messages: [], padding: 'x'.repeat(3_000_000) })
    const ask = (): Promise<number> =>
      fetch(`${gateway.url}${paths.anthropic}`, { method: 'POST', body: large }).then(
        ({ status }) => status,
      )
    const all = async (): Promise<readonly number[]> => Promise.all([ask(), ask(), ask(), ask()])
    expect(await all()).toEqual([200, 200, 200, 200])
    // Closed without a word, at the moment in which they are used again.
    const again = all()
    for (const socket of sockets) socket.resetAndDestroy()
    expect(await again).toEqual([200, 200, 200, 200])
    await gateway.close(0)
    server.close()
    server.closeAllConnections()
  })
})

describe('a request that the upstream took', () => {
  it.each([
    ['closes', 'destroy'],
    ['resets', 'resetAndDestroy'],
  ] as const)('is not sent twice when it %s a kept connection later', async (_, hangUp) => {
    const { upstream } = setting
    upstream.answerWith(plainAnswer)
    await setting.post(paths.anthropic, body)
    const before = upstream.received.length
    upstream.answerWith(async ({ socket }) => {
      await sleep(300)
      socket?.[hangUp]()
    })
    const reply = await setting.post(paths.anthropic, body)
    expect([reply.status, upstream.received.length - before]).toEqual([502, 1])
    expect(JSON.parse(reply.body).error.message).toMatch(/ECONNRESET/)
  })
})

describe('an error of the upstream', () => {
  it.each([
    [429, { 'retry-after': '17' }],
    [529, { 'x-should-retry': 'true' }],
    [400, {}],
    [408, {}],
    [500, { 'x-request-id': 'req_1' }],
    [504, { 'retry-after-ms': '900' }],
  ])('with status %i reaches the client as it is', async (status, headers) => {
    const said = `{"type":"error","error":{"type":"some_error","message":"status ${status}"}}`
    setting.upstream.answerWith((response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(said)
    })
    const reply = await setting.post(paths.anthropic, body)
    expect({ status: reply.status, body: reply.body }).toEqual({ status, body: said })
    expect(reply.headers).toMatchObject(headers)
  })

  it('that hangs up without a word is told with status 502, and with the receipt', async () => {
    setting.upstream.answerWith((response) => void response.destroy())
    const reply = await setting.post(paths.anthropic, body)
    expect(reply.status).toBe(502)
    expect(JSON.parse(reply.body)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
    expect(reply.headers['x-palimpsest']).toMatch(/^before=/)
  })

  it('in the middle of a stream arrives as it was sent', async () => {
    const broken = `${events[0]}event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n`
    setting.upstream.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(broken)
    })
    expect(await setting.post(paths.anthropic, body)).toMatchObject({ status: 200, body: broken })
  })

  it('that cannot be reached at all is told with status 502', async () => {
    const { startGateway, upstreamsWith } = await import('../../src/gateway/index.ts')
    const gateway = await startGateway({
      store: setting.store,
      config: { toolMappings: [], warnings: [] },
      upstreams: upstreamsWith({ anthropic: 'http://127.0.0.1:1' }),
    })
    const answer = await fetch(`${gateway.url}${paths.anthropic}`, { method: 'POST', body })
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({
      error: { message: 'palimpsest: 127.0.0.1:1 cannot be reached (ECONNREFUSED)' },
    })
    await gateway.close(0)
  })
})
