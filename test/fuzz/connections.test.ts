import { once } from 'node:events'
import net from 'node:net'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { startSetting } from '../gateway/setting.ts'
import { paths, storyBodies } from '../gateway/story.ts'
import { fuzzRuns } from './runs.ts'

const numRuns = 150 * fuzzRuns

const piece = fc.constantFrom(
  `POST ${paths.anthropic} HTTP/1.1\r\n`,
  'GET /v1/realtime HTTP/1.1\r\n',
  'host: 127.0.0.1\r\n',
  'connection: Upgrade\r\n',
  'connection: upgrade, keep-alive, http2-settings\r\n',
  'upgrade: websocket\r\n',
  'upgrade: h2c\r\n',
  'http2-settings: AAMAAABkAAQAAP__\r\n',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
  'transfer-encoding: chunked\r\n',
  'content-length: 12\r\n',
  'content-length: -1\r\n',
  'expect: 100-continue\r\n',
  'x-palimpsest: off\r\n',
  '\r\n',
  'c\r\n{"messages":\r\n0\r\n\r\n',
  '{"messages":[]}',
)
const bytes = fc.uint8Array({ maxLength: 12 }).map((each) => Buffer.from(each).toString('latin1'))
const sent = fc.array(fc.oneof({ weight: 9, arbitrary: piece }, bytes), { maxLength: 12 })
const ending = fc.constantFrom('end' as const, 'resetAndDestroy' as const, 'destroy' as const)

it(
  'whatever arrives on connections, the next request is answered as ever',
  async () => {
    const setting = await startSetting({ config: { limits: { idleSeconds: 1 } } })
    setting.upstream.answerWith((response) => void response.end('{}'))
    const body = storyBodies('anthropic').at(-1) as string
    await fc.assert(
      fc.asyncProperty(sent, ending, async (parts, how) => {
        const socket = net.connect({ port: setting.gateway.port, host: '127.0.0.1' })
        socket.on('error', () => {})
        await once(socket, 'connect')
        for (const part of parts) socket.write(part, 'latin1')
        socket[how]()
        socket.resume()
      }),
      { numRuns },
    )
    const { status, headers } = await setting.post(paths.anthropic, body, { 'x-session-id': 's' })
    expect([status, headers['x-palimpsest']]).toEqual([200, expect.stringMatching(/^before=/)])
    expect(setting.gateway.status().faults.internal).toBe(0)
    await setting.stop()
  },
  60_000 * fuzzRuns,
)
