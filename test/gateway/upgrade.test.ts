import { execFile, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import http, { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upstreamsWith } from '../../src/gateway/index.ts'
import { type Reply, type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting

beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting.stop())

const body = storyBodies('anthropic').at(-1) as string
const large = JSON.stringify({ messages: [], padding: 'x'.repeat(5_000_000) })
const http2 = {
  connection: 'Upgrade, HTTP2-Settings',
  upgrade: 'h2c',
  'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
}
const hasCurl = spawnSync('curl', ['--version']).stdout?.includes('HTTP2') === true
const webSocket = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x' }

interface Asked {
  readonly status: number | undefined
  readonly isReused: boolean
}

function ask(
  path: string,
  { agent, ...options }: http.RequestOptions,
  sent: readonly string[],
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const url = `${setting.gateway.url}${path}`
    const request = http.request(url, { agent: agent ?? false, ...options }, (response) => {
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode, isReused: request.reusedSocket }),
      )
    })
    request.on('error', reject)
    for (const part of sent) request.write(part)
    request.end()
  })
}

describe('a client that would rather have HTTP/2', { timeout: 20_000 }, () => {
  it.each([paths.anthropic, `/off${paths.anthropic}`, '/v1/embeddings'])(
    'is answered on %s as if it had not said so',
    async (path) => {
      for (const each of [body, large]) {
        const reply = await setting.post(path, each, http2)
        expect(reply.status).toBe(200)
        const plain = setting.upstream.received.at(-1)
        await setting.post(path, each)
        const expected = setting.upstream.received.at(-1)
        expect(plain?.sha256).toBe(expected?.sha256)
        expect(plain?.rawHeaders).toEqual(expected?.rawHeaders)
      }
    },
  )

  it('is answered where there is no body, and by our own pages', async () => {
    const options = { method: 'GET', headers: http2 }
    expect((await ask('/v1/models', options, [])).status).toBe(200)
    expect(setting.upstream.received.at(-1)?.method).toBe('GET')
    expect((await ask('/palimpsest/status', options, [])).status).toBe(200)
  })

  it('keeps its connection, and may send its body in pieces', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const options = { method: 'POST', agent }
    const parts = ['{"messages":[],"pad', 'ding":"', 'x'.repeat(2_000_000), '"}']
    const first = await ask(paths.anthropic, { ...options, headers: http2 }, parts)
    expect(first).toEqual({ status: 200, isReused: false })
    expect(setting.upstream.received.at(-1)?.sha256).toBe(hash('sha256', parts.join('')))
    const again = await ask(paths.anthropic, options, parts)
    expect(again).toEqual({ status: 200, isReused: true })
    agent.destroy()
  })

  it.skipIf(!hasCurl)('is curl', async () => {
    const url = `${setting.gateway.url}/off${paths.anthropic}`
    const args = ['--http2', '-sS', '-o', '/dev/null', '-w', '%{http_code}', '-d', body, url]
    const { stdout } = await promisify(execFile)('curl', args)
    expect(stdout).toBe('200')
    expect(setting.upstream.received.at(-1)?.body.toString()).toBe(body)
  })
})

describe('a client that asks for a web socket', () => {
  it('is told to send plain requests to a model', async () => {
    const before = setting.upstream.received.length
    const asked = await ask(paths['openai-responses'], { method: 'GET', headers: webSocket }, [])
    expect([asked.status, setting.upstream.received.length - before]).toEqual([426, 0])
  })

  it('gets one elsewhere, byte for byte in both directions', async () => {
    const server = createServer()
    server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\n')
      socket.write('upgrade: websocket\r\n\r\nhello')
      socket.on('data', (part) => socket.end(`heard ${part}`))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const own = await startSetting({ upstreams: upstreamsWith({ openai: url, anthropic: url }) })
    const heard = await new Promise((resolve, reject) => {
      const request = http.request(`${own.gateway.url}/v1/realtime`, { headers: webSocket })
      request.on('error', reject)
      request.on('upgrade', (_answer, socket, head) => {
        let text = head.toString()
        socket.on('data', (part) => {
          text += part
        })
        socket.on('end', () => resolve(text))
        socket.write('hi')
      })
      request.end()
    })
    expect(heard).toBe('helloheard hi')
    await own.stop()
    server.close()
  })

  it('does not keep the gateway from closing', async () => {
    const server = createServer()
    server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\n')
      socket.write('upgrade: websocket\r\n\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const own = await startSetting({ upstreams: upstreamsWith({ openai: url, anthropic: url }) })
    const request = http.request(`${own.gateway.url}/v1/realtime`, { headers: webSocket })
    request.end()
    const [, socket] = (await once(request, 'upgrade')) as [unknown, Socket]
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    await own.stop()
    await closed
    server.close()
  })

  it.each(['chunked', 'sized'])(
    'gets a whole answer that is %s where it is refused',
    async (how) => {
      const said = JSON.stringify({ error: 'x'.repeat(200_000) })
      const server = createServer((_request, response) => {
        const length = how === 'sized' ? { 'content-length': String(said.length) } : {}
        response.writeHead(404, { 'content-type': 'application/json', 'x-said': 'yes', ...length })
        response.write(said.slice(0, 1000))
        response.end(said.slice(1000))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const own = await startSetting({ upstreams: upstreamsWith({ openai: url, anthropic: url }) })
      const answer = await new Promise<Reply>((resolve, reject) => {
        const options = { headers: webSocket, agent: false } as const
        const request = http.request(`${own.gateway.url}/v1/realtime`, options, (response) => {
          let body = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            body += part
          })
          const { statusCode: status = 0, headers } = response
          response.on('error', reject).on('end', () => resolve({ status, headers, body }))
        })
        request.on('error', reject)
        request.end()
      })
      expect(answer).toMatchObject({ status: 404, body: said, headers: { 'x-said': 'yes' } })
      await own.stop()
      server.close()
    },
  )
})
