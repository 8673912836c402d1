import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentTools } from '../../src/agent/tool-definitions.ts'
import { PalimpsestError } from '../../src/core/words/errors.ts'
import {
  type PruneOptions,
  type PruneReceipt,
  pruneMiddleware,
  restoreTool,
  withPalimpsest,
} from '../../src/sdk/index.ts'

let folder: string
let server: Server
let url: string
let bodies: string[]
let seen: (string | undefined)[]
let answer: (body: string) => { status?: number; type?: string; text: string }
const homeBefore = process.env.PALIMPSEST_HOME

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-fails-'))
  process.env.PALIMPSEST_HOME = path.join(folder, 'home')
  mkdirSync(path.join(folder, 'home'))
  bodies = []
  seen = []
  answer = () => ({ text: '{"usage":{"input_tokens":7,"output_tokens":2}}' })
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString('utf8')
    bodies.push(body)
    seen.push(request.headers['content-length'])
    const { status = 200, type = 'application/json', text } = answer(body)
    response.writeHead(status, { 'content-type': type, 'request-id': 'req_1' })
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
  rmSync(folder, { recursive: true })
  if (homeBefore === undefined) delete process.env.PALIMPSEST_HOME
  else process.env.PALIMPSEST_HOME = homeBefore
})

const page = (n: number): string => `answer ${n}: ${'a long page of text '.repeat(30)}`
const body = (turns: number): string =>
  JSON.stringify({
    model: 'claude-haiku-4-5',
    max_tokens: 1000,
    messages: [
      { role: 'user', content: 'look it up' },
      ...Array.from({ length: turns }, (_, n) => [
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: `toolu_${n}`,
              name: 'WebFetch',
              input: { url: 'https://example.org/a' },
            },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: page(n) }],
        },
      ]).flat(),
    ],
  })
const post = (text: string): RequestInit => ({
  method: 'POST',
  body: text,
  headers: { 'x-api-key': 'k' },
})

describe('an error inside', () => {
  it('sends the original and names the reason when the store cannot be opened', async () => {
    const blocked = path.join(folder, 'blocked')
    writeFileSync(blocked, '')
    const errors: unknown[] = []
    const fetch = withPalimpsest(globalThis.fetch, {
      store: path.join(blocked, 'palimpsest.db'),
      onError: (error) => errors.push(error),
    })
    const response = await fetch(`${url}/v1/messages`, post(body(3)))
    expect(response.status).toBe(200)
    expect(bodies).toEqual([body(3)])
    expect(errors.map((error) => PalimpsestError.is(error))).toEqual([true])
  })

  it('still answers when the callbacks of the user throw', async () => {
    const fetch = withPalimpsest(globalThis.fetch, {
      store: 'memory:',
      onReceipt() {
        throw new Error('mine')
      },
    })
    const response = await fetch(`${url}/v1/messages`, post(body(1)))
    expect(await response.json()).toEqual({ usage: { input_tokens: 7, output_tokens: 2 } })
    await fetch.close()
  })

  it('passes on a failed connection, and records it', async () => {
    const receipts: PruneReceipt[] = []
    const failing = async (): Promise<Response> => {
      throw new TypeError('no route')
    }
    const fetch = withPalimpsest(failing, {
      store: 'memory:',
      onReceipt: (each) => receipts.push(each),
    })
    await expect(fetch(`${url}/v1/messages`, post(body(2)))).rejects.toThrow('no route')
    expect(receipts.map(({ status, error }) => [status, error])).toEqual([[null, 'TypeError']])
    await fetch.close()
  })

  it('records an answer that the caller gave up', async () => {
    const receipts: PruneReceipt[] = []
    const fetch = withPalimpsest(globalThis.fetch, {
      store: 'memory:',
      onReceipt: (each) => receipts.push(each),
    })
    const response = await fetch(`${url}/v1/messages`, post(body(2)))
    await response.body?.cancel()
    await expect.poll(() => receipts.length).toBe(1)
    expect(receipts[0]?.error).toBe('the client stopped reading')
    await fetch.close()
  })
})

describe('what a fetch passes on', () => {
  it('leaves other requests and switched-off ones alone, and keeps the answer as it was', async () => {
    const receipts: PruneReceipt[] = []
    const fetch = withPalimpsest(globalThis.fetch, {
      store: 'memory:',
      onReceipt: (each) => receipts.push(each),
    })
    await fetch(`${url}/v1/models`)
    await fetch(`${url}/v1/messages`, { ...post(body(2)), headers: { 'x-palimpsest': 'off' } })
    expect(receipts).toEqual([])
    const response = await fetch(new URL(`${url}/v1/messages?beta=true`), post(body(1)))
    expect(response.url).toBe(`${url}/v1/messages?beta=true`)
    expect(response.headers.get('request-id')).toBe('req_1')
    expect(response.headers.get('x-palimpsest')).toMatch(/^before=\d+; after=\d+/)
    expect(await response.text()).toBe('{"usage":{"input_tokens":7,"output_tokens":2}}')
    expect(receipts.map(({ usage }) => usage?.input)).toEqual([7])
    expect(bodies.slice(1)).toEqual([body(2), body(1)])
    await fetch.close()
  })

  it('takes a Request, bytes, and a length that the client counted', async () => {
    const fetch = withPalimpsest(globalThis.fetch, { store: 'memory:', schedule: 'eager' })
    const to = `${url}/v1/messages`
    await fetch(new Request(to, post(body(6))))
    await fetch(to, { ...post(''), body: new TextEncoder().encode(body(7)) })
    const text = body(8)
    await fetch(to, {
      ...post(text),
      headers: { 'x-api-key': 'k', 'content-length': String(Buffer.byteLength(text)) },
    })
    for (const [at, sent] of bodies.entries()) {
      expect(sent).not.toContain(page(0))
      expect(sent.length).toBeLessThan(body(6 + at).length)
      expect(seen[at]).toBe(String(Buffer.byteLength(sent)))
    }
    expect(bodies.length).toBe(3)
    await fetch.close()
  })

  it('finds a session again after a restart, with the bytes that it sent', async () => {
    const options: PruneOptions = { schedule: 'eager', session: 'one' }
    for (const turns of [6, 7]) {
      const fetch = withPalimpsest(globalThis.fetch, options)
      await (await fetch(`${url}/v1/messages`, post(body(turns)))).text()
      const handle = / · ([0-9a-f]{6})\]/.exec(bodies.at(-1) ?? '')?.[1] ?? ''
      expect(await restoreTool(fetch).run({ handle })).toBe(page(0))
      expect(await restoreTool(fetch, { session: 'two' }).run({ handle })).toContain('No item')
      await fetch.close()
    }
    const [first = '', second = ''] = bodies
    const until = first.indexOf('toolu_4')
    expect(second.slice(0, until)).toBe(first.slice(0, until))
  })
})

describe('a conversation that the provider keeps', () => {
  it('is passed on, because its history is not in the request', async () => {
    const receipts: PruneReceipt[] = []
    const fetch = withPalimpsest(globalThis.fetch, {
      store: 'memory:',
      schedule: 'eager',
      onReceipt: (each) => receipts.push(each),
    })
    const thread = { type: 'continue', previous_message_id: 'msg_1' }
    const continued = JSON.stringify({ ...JSON.parse(body(6)), thread })
    await (await fetch(`${url}/v1/messages`, post(continued))).text()
    expect(bodies).toEqual([continued])
    expect(receipts.map(({ bypass }) => bypass)).toEqual(['the provider keeps the history'])
    await fetch.close()
  })
})

describe('placeholders', () => {
  it('name the restore tool only where it is offered', async () => {
    const fetch = withPalimpsest(globalThis.fetch, { store: 'memory:', schedule: 'eager' })
    const client = new Anthropic({ baseURL: url, apiKey: 'k', fetch, maxRetries: 0 })
    const params = JSON.parse(body(6)) as Anthropic.MessageCreateParamsNonStreaming
    await client.messages.create(params)
    // Another conversation: the same one would go on as it was shown.
    const other = JSON.parse(body(6).replaceAll('toolu_', 'toolv_')) as typeof params
    const offered = { ...other, tools: [restoreTool(fetch).anthropic] }
    await client.messages.create(offered, { headers: { 'x-session-id': 'another' } })
    expect(bodies[0]).not.toContain('context_restore')
    expect(bodies[0]).toMatch(/ · [0-9a-f]{6}\]/)
    expect(bodies[1]).toMatch(/context_restore [0-9a-f]{6}\]/)
    await fetch.close()
  })

  it('have a tool with the schema that every other door has', () => {
    const { anthropic, gemini, openaiChat, openaiResponses, aiSdk } = restoreTool(
      pruneMiddleware({ store: 'memory:' }),
    )
    const known = agentTools.find(({ name }) => name === 'context_restore')
    const schemas = [
      anthropic.input_schema,
      gemini.declaration.parametersJsonSchema,
      openaiChat.function.parameters,
      openaiResponses.parameters,
      aiSdk.inputSchema['~standard'].jsonSchema.input(),
    ]
    for (const schema of schemas) expect(schema).toEqual(known?.inputSchema)
    expect(anthropic.description).toBe(known?.description)
  })
})

describe('a mistake in the options', () => {
  const messageOf = (options: object): string => {
    try {
      withPalimpsest(globalThis.fetch, options)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
    return 'accepted'
  }
  it.each([
    [{ presett: 'balanced' }, "withPalimpsest has no option 'presett'. Did you mean 'preset'?"],
    [{ sesion: 'a' }, "withPalimpsest has no option 'sesion'. Did you mean 'session'?"],
    [{ preset: 'balancd' }, 'Did you mean "balanced"?'],
    [
      { strategies: { retenton: true } },
      'unknown key `retenton` in `strategies`. Did you mean `retention`?',
    ],
    [{ onError: 'log' }, "withPalimpsest: 'onError' must be a function."],
    [{ session: '' }, "withPalimpsest: 'session' must be a text that is not empty."],
    [{ upstreams: {} }, "withPalimpsest has no option 'upstreams'."],
  ])('%j is told', (options, told) => {
    expect(messageOf(options)).toContain(told)
  })

  it('is told for what is no result of ours', () => {
    // @ts-expect-error a plain fetch has no sessions
    expect(() => restoreTool(globalThis.fetch)).toThrow('restoreTool takes what withPalimpsest')
  })
})
