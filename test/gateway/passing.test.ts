import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { plainAnswer } from './recording-upstream.ts'
import { post, type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting

beforeAll(async () => {
  setting = await startSetting()
})
afterEach(() => setting.upstream.answerWith(plainAnswer))
afterAll(() => setting.stop())

const last = (): Setting['upstream']['received'][number] => {
  const received = setting.upstream.received.at(-1)
  if (received === undefined) throw new Error('nothing arrived')
  return received
}

/** Odd spacing, escapes, numbers that a parser would round, and a key that nobody knows. */
const oddBody =
  '{ "model":"claude-sonnet-4-5" ,"max_tokens": 1e2,"x_unknown":{"big":12345678901234567890,"f":1.10},\n' +
  '"messages":[{"role":"user","content":"\\u00fcber \\/ caf\u00e9 \\ud83d\\ude00 "}]}  \n'

describe('a request that nothing is changed in', () => {
  it('arrives byte for byte, with its method, path, query and headers', async () => {
    const reply = await setting.post('/v1/messages?beta=true&x=%2F', oddBody, {
      'X-Api-Key': 'sk-ant-secret',
      'anthropic-beta': 'one,two',
      'Anthropic-Version': '2023-06-01',
      'X-Odd-Case': 'Kept',
    })
    expect(reply.status).toBe(200)
    const { method, url, sha256, rawHeaders } = last()
    expect({ method, url, sha256 }).toEqual({
      method: 'POST',
      url: '/v1/messages?beta=true&x=%2F',
      sha256: hash('sha256', oddBody),
    })
    const host = new URL(setting.upstream.url).host
    const sent = pairsOf(rawHeaders).filter(([name]) => name !== 'Connection')
    expect(sent).toEqual([
      ['host', host],
      ['content-type', 'application/json'],
      ['content-length', String(Buffer.byteLength(oddBody))],
      ['X-Api-Key', 'sk-ant-secret'],
      ['anthropic-beta', 'one,two'],
      ['Anthropic-Version', '2023-06-01'],
      ['X-Odd-Case', 'Kept'],
    ])
  })

  it.each([
    ['not JSON at all', 'hello'],
    ['JSON that is no request', '[1, 2]'],
    ['an empty body', ''],
    ['messages of no known shape', '{"messages":[{"role":7}]}'],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x00])],
  ])('arrives byte for byte when it is %s, and says that it was passed by', async (_, body) => {
    const reply = await setting.post('/v1/messages', body)
    expect(last().sha256).toBe(hash('sha256', body))
    expect(reply.headers['x-palimpsest']).toMatch(/^bypass; reason=not understood at /)
  })

  it('is passed on while it comes when it is larger than any provider takes', async () => {
    const body = Buffer.alloc(64 * 1024 * 1024 + 1, ' ')
    const reply = await setting.post('/v1/messages', body)
    expect(last().sha256).toBe(hash('sha256', body))
    expect(reply.headers['x-palimpsest']).toContain('reason=the body is too large')
  })

  it.each([
    { previous_response_id: 'resp_1' },
    { metadata: { previous_response_id: 'none' }, previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { conversation: { id: 'conv_1' } },
  ])('is passed by when the provider keeps the history itself: %j', async (kept) => {
    const body = JSON.stringify({ model: 'gpt-5.5', ...kept, input: 'go on' })
    const reply = await setting.post('/v1/responses', body)
    expect(last().sha256).toBe(hash('sha256', body))
    expect(reply.headers['x-palimpsest']).toBe('bypass; reason=the provider keeps the history')
  })

  it.each([
    { metadata: { previous_response_id: 'resp_1' } },
    { metadata: { conversation: 'conv_1' } },
    { previous_response_id: null, metadata: { previous_response_id: 'resp_1' } },
    { tools: [{ type: 'function', name: 't', parameters: { previous_response_id: 'a' } }] },
  ])('is not passed by for what only looks like it: %j', async (more) => {
    let body = ''
    for (const each of storyBodies('openai-responses')) {
      body = JSON.stringify({ ...more, ...JSON.parse(each) })
      const reply = await setting.post('/v1/responses', body, { 'x-session-id': 'looks' })
      expect(reply.headers['x-palimpsest']).toMatch(/^before=/)
    }
    expect(last().body.length).toBeLessThan(body.length / 2)
  })

  it.each([
    ['gzip', gzipSync(oddBody)],
    ['br', brotliCompressSync(oddBody)],
    ['deflate', deflateSync(oddBody)],
    ['zstd', Buffer.from('28b52ffd0000', 'hex')],
  ])('arrives packed with %s as it was', async (encoding, bytes) => {
    await setting.post('/v1/messages', bytes, { 'content-encoding': encoding })
    expect(last().sha256).toBe(hash('sha256', bytes))
    expect(last().headers['content-encoding']).toBe(encoding)
  })
})

/** The last request of the story as Node 22 packs it, because Node 20 cannot. */
const packedStory = readFileSync(new URL('packed/story.json.zst', import.meta.url))

describe('a packed request', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', () => packedStory],
  ] as const)('with %s is pruned like any other', async (encoding, pack) => {
    const body = storyBodies('anthropic').at(-1) as string
    const plain = await setting.post(paths.anthropic, body, { 'x-session-id': `${encoding}-plain` })
    const expected = last()
    const reply = await setting.post(paths.anthropic, pack(body), {
      'x-session-id': `${encoding}-packed`,
      'content-encoding': encoding,
    })
    expect(last().body.toString()).toBe(expected.body.toString())
    expect(last().body.length).toBeLessThan(body.length / 2)
    expect(last().headers).not.toHaveProperty('content-encoding')
    expect(last().headers['content-length']).toBe(String(last().body.length))
    const [sizes] = /before=\d+; after=\d+/.exec(String(plain.headers['x-palimpsest'])) ?? ['none']
    expect(reply.headers['x-palimpsest']).toContain(sizes)
  })
})

describe('what is no request to a model', () => {
  it.each([
    ['GET', '/v1/models'],
    ['POST', '/v1/embeddings'],
    ['DELETE', '/v1/files/f1?x=1'],
    ['POST', '/v1/threads/t1/messages'],
    ['PUT', '/v1/anything/else'],
  ])('%s %s is passed on as it came', async (method, path) => {
    const body = method === 'GET' ? '' : '{"messages": "any"}'
    const { status, receipt } = await plainRequest(method, path, body)
    expect({ method: last().method, url: last().url, body: last().body.toString() }).toEqual({
      method,
      url: path,
      body,
    })
    expect({ status, receipt }).toEqual({ status: 200, receipt: 'pass' })
  })

  it('goes to the upstream whose name stands before it', async () => {
    await plainRequest('POST', '/gemini/v1/custom', 'x')
    expect(last().url).toBe('/v1/custom')
  })
})

describe('pruning', () => {
  const body = storyBodies('anthropic').at(-1) as string

  it('is switched off by a header, which goes no further', async () => {
    const reply = await setting.post(paths.anthropic, body, { 'X-Palimpsest': 'off' })
    expect(last().sha256).toBe(hash('sha256', body))
    expect(last().headers).not.toHaveProperty('x-palimpsest')
    expect(reply.headers['x-palimpsest']).toBe('off')
  })

  it('is switched off by the beginning of a path, which goes no further', async () => {
    const reply = await setting.post(`/off${paths.anthropic}?a=1`, body)
    expect({ url: last().url, sha256: last().sha256 }).toEqual({
      url: `${paths.anthropic}?a=1`,
      sha256: hash('sha256', body),
    })
    expect(reply.headers['x-palimpsest']).toBe('off')
  })

  it('says before and after, the epoch and what it saved', async () => {
    const reply = await setting.post(paths.anthropic, body, { 'x-session-id': 'receipt' })
    expect(reply.headers['x-palimpsest']).toMatch(
      /^before=\d+; after=\d+; epoch=\d+; (opened=\w+; )?saved=\$\d+(\.\d+)?$/,
    )
    const [before = 0, after = 0] = [
      ...String(reply.headers['x-palimpsest']).matchAll(/(?:before|after)=(\d+)/g),
    ].map(([, number]) => Number(number))
    expect(after).toBeLessThan(before / 2)
  })
})

function plainRequest(
  method: string,
  path: string,
  body: string,
): Promise<{ status: number; receipt: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': Buffer.byteLength(body) }
    const url = `${setting.gateway.url}${path}`
    const request = http.request(url, { method, headers }, (response) => {
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, receipt: response.headers['x-palimpsest'] }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

function pairsOf(raw: readonly string[]): readonly (readonly string[])[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []))
}

describe('an upstream with a path of its own', () => {
  it('does not get its version twice', async () => {
    const { upstreamsWith } = await import('../../src/gateway/index.ts')
    const { startGateway } = await import('../../src/gateway/index.ts')
    const gateway = await startGateway({
      store: setting.store,
      config: { toolMappings: [], warnings: [] },
      upstreams: upstreamsWith({ local: `${setting.upstream.url}/proxy/v1` }),
    })
    await post(`${gateway.url}/local/v1/chat/completions`, '{}')
    expect(last().url).toBe('/proxy/v1/chat/completions')
    await post(`${gateway.url}/local/chat/completions`, '{}')
    expect(last().url).toBe('/proxy/v1/chat/completions')
    await gateway.close(0)
  })
})
