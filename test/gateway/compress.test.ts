import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { arrayOf, type JsonObject, objectOf } from '../../src/core/words/json.ts'
import { createMemoryStore, type Store, type StoredSession } from '../../src/store/index.ts'
import { bodyOf } from '../property/wire.ts'
import {
  type CompressAnswer,
  changedBefore,
  compress,
  hashesIn,
  opensEpoch,
  originalsIn,
  retrieve,
} from './compress-calls.ts'
import { post, type Setting, startSetting } from './setting.ts'
import { storyBodies, storyMessages } from './story.ts'

let setting: Setting
let expectedFaults = 0

beforeEach(async () => {
  setting = await startSetting()
  expectedFaults = 0
})
afterEach(async () => {
  expect(setting.faults).toHaveLength(expectedFaults)
  await setting.stop()
})

type Shape = 'openai-chat' | 'anthropic'
const shapes = ['openai-chat', 'anthropic'] as const

interface Call {
  readonly messages: readonly JsonObject[]
  readonly model: string
}

function callsOf(shape: Shape, options: Parameters<typeof storyBodies>[1] = {}): readonly Call[] {
  return storyBodies(shape, { turns: 16, ...options }).map((body) => {
    const { messages, model } = JSON.parse(body)
    return { messages, model }
  })
}

/** Sends a conversation request by request, and expects that only epochs change what an answer before said. */
async function conversation(calls: readonly Call[], headers?: Record<string, string>) {
  const answers: CompressAnswer[] = []
  let before: readonly unknown[] = []
  for (const [at, call] of calls.entries()) {
    const { status, answer, receipt } = await compress(setting.gateway.url, call, headers)
    expect([status, receipt]).toEqual([200, expect.not.stringContaining('bypass')])
    if (!opensEpoch(receipt)) expect([at, changedBefore(before, answer.messages)]).toEqual([at, 0])
    before = answer.messages
    answers.push(answer)
  }
  return answers
}

describe.each(shapes)('POST /v1/compress with %s messages', (shape) => {
  it('answers as the contract says, and shortens what newer work has replaced', async () => {
    const calls = callsOf(shape)
    const answers = await conversation(calls)
    const last = answers.at(-1) as CompressAnswer
    expect(JSON.stringify(last.messages).length).toBeLessThan(
      JSON.stringify(calls.at(-1)?.messages).length * 0.7,
    )
    expect(last.messages).toHaveLength(calls.at(-1)?.messages.length ?? 0)
    expect(last.messages.map(({ role }) => role)).toEqual(
      calls.at(-1)?.messages.map(({ role }) => role),
    )
    expect(last.tokens_saved).toBe(last.tokens_before - last.tokens_after)
    expect(last.compression_ratio).toBeCloseTo(last.tokens_after / last.tokens_before, 3)
    expect(last.ccr_hashes.length).toBeGreaterThan(2)
    expect([...last.ccr_hashes].sort()).toEqual([...hashesIn(last.messages)].sort())
  })

  it('gives the original of every marker back, to the same credential and after a restart', async () => {
    const calls = callsOf(shape)
    const answers = await conversation(calls)
    const hashes = answers.flatMap(({ ccr_hashes: each }) => each)
    const originals = originalsIn(calls.at(-1)?.messages)
    await setting.restart()
    for (const hash of new Set(hashes)) {
      const { status, original } = await retrieve(setting.gateway.url, hash)
      expect([hash, status, originals.has(original ?? '')]).toEqual([hash, 200, true])
      const stranger = { authorization: 'Bearer another-team' }
      expect((await retrieve(setting.gateway.url, hash, stranger)).status).toBe(404)
    }
  })

  it('gives the same answers when another process takes over at any request', async () => {
    const calls = callsOf(shape)
    const alone = await conversation(calls, { authorization: 'Bearer alone' })
    const answers: CompressAnswer[] = []
    for (const call of calls) {
      answers.push((await compress(setting.gateway.url, call)).answer)
      await setting.restart()
    }
    expect(answers).toEqual(alone)
  })

  it('keeps many conversations and forks apart that begin with the same prompt', async () => {
    const stories = ['alpha', 'beta', 'gamma', 'delta'].map((word) => callsOf(shape, { word }))
    const alone: CompressAnswer[] = []
    for (const [at, calls] of stories.entries())
      alone.push(...(await conversation(calls, { authorization: `Bearer alone ${at}` })).slice(-1))
    const together = await Promise.all(stories.map((calls) => conversation(calls)))
    expect(together.map((answers) => answers.at(-1))).toEqual(alone)

    const [calls = [], other = []] = stories
    const forked = calls.slice(0, 12)
    const end = forked.at(-1) as Call
    const added = (other[4]?.messages ?? []).slice(-2)
    const fork = await compress(setting.gateway.url, {
      ...end,
      messages: [...end.messages.slice(0, 9), ...added],
    })
    expect(fork.status).toBe(200)
    expect(JSON.stringify(fork.answer.messages.slice(-2))).toContain('beta')
    expect(JSON.stringify(fork.answer.messages)).not.toContain('gamma')
    expect(await conversation(calls.slice(-1))).toEqual([together[0]?.at(-1)])
  })

  it('takes a history whose middle was edited, and goes on from it', async () => {
    const calls = callsOf(shape)
    await conversation(calls.slice(0, 10))
    const edited = (call: Call): Call => ({
      ...call,
      messages: call.messages.map((each, at) => (at === 4 ? blanked(each) : each)),
    })
    const { status, answer, receipt } = await compress(
      setting.gateway.url,
      edited(calls[10] as Call),
    )
    expect([status, receipt]).toEqual([200, expect.not.stringContaining('bypass')])
    expect(JSON.stringify(answer.messages[4])).toContain('cleared by its agent')
    await conversation(calls.slice(11).map(edited))
    for (const hash of hashesIn(answer.messages))
      expect((await retrieve(setting.gateway.url, hash)).status).toBe(200)
  })

  it('with mode audit reports what it would save, and changes nothing', async () => {
    const calls = callsOf(shape).map((call) => ({ ...call, mode: 'audit' }))
    const answers = await conversation(calls)
    for (const [at, { messages }] of answers.entries())
      expect(messages).toEqual(calls[at]?.messages)
    const last = answers.at(-1) as CompressAnswer
    expect(last.tokens_after).toBeLessThan(last.tokens_before * 0.7)
    expect(last.ccr_hashes).toEqual([])
    expect(setting.gateway.status().requests).toBe(0)
    const real = await conversation(callsOf(shape))
    expect(real.map(({ tokens_after: tokens }) => tokens)).toEqual(
      answers.map(({ tokens_after: tokens }) => tokens),
    )
  })

  it('after an audit leaves what the provider has cached as it is', async () => {
    const calls = callsOf(shape)
    for (const call of calls.slice(0, 12))
      await compress(setting.gateway.url, { ...call, mode: 'audit' })
    const { answer } = await compress(setting.gateway.url, calls[12])
    const seen = calls[11]?.messages ?? []
    expect(answer.messages.slice(0, seen.length)).toEqual(seen)
  })

  it('passes unknown fields of the call and of messages through', async () => {
    const calls = callsOf(shape).map((call) => ({
      ...call,
      messages: call.messages.map((each, at) => ({ ...each, 'x-kept': at, name: 'somebody' })),
      config: { frozen_message_count: 3 },
      temperature: 0.5,
    }))
    const answers = await conversation(calls)
    for (const [at, each] of (answers.at(-1)?.messages ?? []).entries())
      expect(each).toMatchObject({ 'x-kept': at, name: 'somebody' })
    expect(answers.at(-1)?.compression_ratio).toBeLessThan(0.8)
  })

  it('goes on with the answers before when the caller has a new key, and gives it the originals', async () => {
    const calls = callsOf(shape)
    const renewed = { authorization: 'Bearer a-new-key' }
    const answers = await conversation(calls.slice(0, 14))
    const next = await compress(setting.gateway.url, calls[14], renewed)
    expect(opensEpoch(next.receipt)).toBe(false)
    expect(changedBefore(answers.at(-1)?.messages ?? [], next.answer.messages)).toBe(0)
    const hashes = hashesIn(next.answer.messages)
    expect(hashes.length).toBeGreaterThan(2)
    for (const hash of hashes)
      expect((await retrieve(setting.gateway.url, hash, renewed)).status).toBe(200)
  })

  it('counts its requests and what they saved', async () => {
    await conversation(callsOf(shape))
    const { requests, changed, savedDollars } = setting.gateway.status()
    expect(requests).toBe(17)
    expect(changed).toBeGreaterThan(5)
    expect(savedDollars).toBeGreaterThan(0)
    const metrics = await (await fetch(`${setting.gateway.url}/metrics`)).text()
    expect(metrics).toMatch(/^palimpsest_added_seconds_count 17$/m)
    expect(metrics).toMatch(/^palimpsest_store_seconds_count\{operation="append"\} [1-9]/m)
    expect(metrics).toMatch(/^palimpsest_sessions_in_memory [1-9]/m)
    // The caller asks the model, so there is no answer to count.
    expect(metrics).not.toMatch(/^palimpsest_upstream_answers_total/m)
  })

  it('checks its requests when the configuration says so', async () => {
    await setting.stop()
    setting = await startSetting({ config: { verify: true } })
    for (const call of callsOf(shape)) {
      await compress(setting.gateway.url, call)
      await sleep(40)
    }
    const verified = (): unknown => setting.gateway.status().verified
    await vi.waitFor(() => expect(verified()).not.toMatchObject({ requests: 0 }), 5_000)
    expect(verified()).toMatchObject({ breaches: {}, last: null })
  })
})

/** A result in either shape with another text. */
function blanked(message: JsonObject): JsonObject {
  const text = 'cleared by its agent'
  if (typeof message.content === 'string') return { ...message, content: text }
  const parts = arrayOf(message.content).map((part) => ({ ...objectOf(part), content: text }))
  return { ...message, content: parts }
}

describe('POST /v1/compress', () => {
  it('answers a fail-closed caller with its messages as they came, whatever is in them', async () => {
    const odd: readonly (readonly unknown[])[] = [
      [],
      [null, 3, 'text', []],
      [{ role: 'user' }],
      [{ role: 'nobody', content: 'hello' }],
      [{ content: { deep: [[[]]] } }],
      [{ role: 'user', content: [{ type: 'text' }, { type: 'unheard_of', data: 1 }] }],
      [{ role: 'tool', content: 'an answer to no call' }],
      [{ role: 'assistant', content: null, tool_calls: [{ id: 7, function: null }] }],
      [{ role: 'user', content: `lone \ud800 surrogate, ${'é'.repeat(300)} and \u0000` }],
    ]
    for (const messages of odd) {
      for (const model of ['gpt-5', 'no-such-model', 7, null, undefined]) {
        const { status, answer } = await compress(setting.gateway.url, { messages, model })
        expect([status, answer.messages]).toEqual([200, JSON.parse(JSON.stringify(messages))])
        expect(answer.tokens_after).toBe(answer.tokens_before)
        expect(answer.compression_ratio).toBe(1)
      }
    }
  })

  it('gives messages back as they came when they cannot be read at all', async () => {
    const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    const odd = [
      `[{"role":"user","content":${nested},"n":1.50}]`,
      '[ {"role":"user","content":{"toString":1},"n":12345678901234567890} ]',
      '[{"role":{"toString":1},"content":[{"type":"text","text":{"toString":1}}],"n":1.0}]',
      '[{"role":"tool","tool_call_id":{"toString":1},"content":"x","n":1e2}]',
    ]
    for (const messages of odd) {
      const body = `{"messages":[],"a":"\\"}","messages":${messages},"b":{"messages":1}}`
      const reply = await post(`${setting.gateway.url}/v1/compress`, body)
      expect([messages.slice(0, 60), reply.status]).toEqual([messages.slice(0, 60), 200])
      expect(reply.body.startsWith(`{"messages":${messages},`)).toBe(true)
    }
  })

  it('keeps the bytes of what it does not change', async () => {
    const messages = '[ {"role" : "user","content":"1.0e3 \\u00e9 \\/", "n":1.50 } ]'
    const reply = await post(`${setting.gateway.url}/v1/compress`, `{"messages":${messages}}`)
    expect(reply.body.startsWith(`{"messages":${messages},`)).toBe(true)
  })

  it('refuses what has no messages with a reason', async () => {
    const bodies = ['', '{', 'null', '[]', '"text"', '{}', '{"messages":{}}', '{"messages":"hi"}']
    for (const body of bodies) {
      const reply = await post(`${setting.gateway.url}/v1/compress`, body)
      expect([body, reply.status]).toEqual([body, 400])
      expect(JSON.parse(reply.body).error.message).toMatch(/JSON object|must be an array/)
    }
    expect((await fetch(`${setting.gateway.url}/v1/compress`)).status).toBe(405)
  })

  it('leaves a call alone whose caller asks for it', async () => {
    const [call] = callsOf('anthropic').slice(-1)
    for (const headers of [{ 'x-headroom-bypass': 'True' }, { 'x-palimpsest': 'off' }]) {
      const { answer, receipt } = await compress(setting.gateway.url, call, headers)
      expect([answer.messages, receipt]).toEqual([call?.messages, 'off'])
    }
  })

  it.each(shapes)(
    'leaves a long %s history that it has not seen as it is until its cache has expired',
    async (shape) => {
      await setting.stop()
      let now = Date.now()
      setting = await startSetting({ now: () => now })
      for (const [at, model] of ['gpt-5', 'claude-sonnet-4-5', 'team/our-alias'].entries()) {
        const [before, call] = callsOf(shape, { turns: 120, word: `word ${at}` }).slice(-2)
        const { answer, receipt } = await compress(setting.gateway.url, { ...before, model })
        expect([model, receipt]).toEqual([model, expect.not.stringContaining('opened=')])
        // The newest exchange was not sent before, so it is not in any cache.
        const seen = before?.messages.slice(0, -2)
        expect(answer.messages.slice(0, -2)).toEqual(seen)
        now += 48 * 3_600_000
        const later = await compress(setting.gateway.url, { ...call, model })
        expect(later.answer.compression_ratio).toBeLessThan(0.7)
        expect(later.answer.messages).toHaveLength(call?.messages.length ?? 0)
      }
    },
  )

  it('shortens more for a caller that gives the model a tool for hashes', async () => {
    const long = Array.from({ length: 2_500 }, (_, n) => `ok ${n} downloaded part ${n % 7}`).join(
      '\n',
    )
    // Each its own conversation: a request with the whole history of one continues it, from any caller.
    const fetched = (id: string, shape: Shape = 'openai-chat'): unknown[] =>
      JSON.parse(
        bodyOf(shape, [
          { role: 'user', items: [{ kind: 'text', text: 'Fetch it all.' }] },
          {
            role: 'assistant',
            items: [{ kind: 'call', tool: 'Bash', call: id, text: '{"command":"make fetch"}' }],
          },
          {
            role: 'tool',
            items: [{ kind: 'result', tool: 'Bash', call: id, status: 'ok', text: long }],
          },
        ]),
      ).messages
    const untouched = fetched('c1')
    const plain = await compress(setting.gateway.url, { messages: untouched, model: 'gpt-5' })
    expect(plain.answer.messages).toEqual(untouched)
    const messages = fetched('c2')
    const litellm = { authorization: 'Bearer sk-litellm', 'user-agent': 'litellm/1.95.0' }
    const { answer } = await compress(setting.gateway.url, { messages, model: 'gpt-5' }, litellm)
    expect(answer.compression_ratio).toBeLessThan(0.5)
    const [hash = ''] = answer.ccr_hashes
    expect(JSON.stringify(answer.messages)).toContain(`headroom_retrieve hash=${hash}`)
    expect((await retrieve(setting.gateway.url, hash, litellm)).original).toBe(long)
    // LiteLLM does not look for hashes inside of Anthropic's results, and offers no tool for them.
    const nested = (id: string): unknown => ({
      messages: fetched(id, 'anthropic'),
      model: 'claude-sonnet-4-5',
    })
    const same = await compress(setting.gateway.url, nested('c3'), litellm)
    expect(same.answer.messages).toEqual(fetched('c3', 'anthropic'))
    const told = await compress(setting.gateway.url, {
      ...objectOf(nested('c4')),
      config: { mode: 'ccr' },
    })
    expect(told.answer.compression_ratio).toBeLessThan(0.5)
  })
})

describe('LiteLLM, which withholds the rows that must not change', () => {
  /** The rows that its guardrail sends: no system, no assistant, not the user's newest prompt. */
  function sentRows(messages: readonly JsonObject[]): readonly JsonObject[] {
    const newest = messages.findLastIndex(({ role }) => role === 'user')
    return messages.filter(({ role }, at) => (role === 'user' && at !== newest) || role === 'tool')
  }

  it('gets its rows back in their places, and stable when a prompt appears between them', async () => {
    const [first = []] = storyMessages({ turns: 0 })
    const big = Array.from({ length: 3_000 }, (_, n) => `row ${n} of the listing ${n % 11}`).join(
      '\n',
    )
    const whole: JsonObject[] = JSON.parse(bodyOf('openai-chat', first)).messages
    const headers = { authorization: 'Bearer sk', 'user-agent': 'litellm/1.97.1' }
    const shown = new Map<unknown, string>()
    for (let turn = 0; turn < 12; turn++) {
      const id = `call_${turn}`
      whole.push(
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: 'list', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: id, content: `${turn} ${big}` },
      )
      if (turn % 4 === 3) whole.push({ role: 'user', content: `And now part ${turn}?` })
      const rows = sentRows(whole)
      const { status, answer } = await compress(
        setting.gateway.url,
        { messages: rows, model: 'gpt-5' },
        headers,
      )
      expect(status).toBe(200)
      expect(answer.messages.map(({ role, tool_call_id: id }) => [role, id])).toEqual(
        rows.map(({ role, tool_call_id: id }) => [role, id]),
      )
      for (const row of answer.messages) {
        if (row.role === 'user') {
          expect(rows).toContainEqual(row)
          continue
        }
        const text = JSON.stringify(row)
        expect(shown.get(row.tool_call_id) ?? text).toBe(text)
        shown.set(row.tool_call_id, text)
      }
      for (const hash of answer.ccr_hashes)
        expect((await retrieve(setting.gateway.url, hash, headers)).original).toContain(big)
    }
    expect([...shown.values()].join('').length).toBeLessThan(12 * big.length * 0.7)
  })
})

describe('a store that fails', () => {
  it('lets every call through unchanged, and says so when an original is asked for', async () => {
    await setting.stop()
    const store = createMemoryStore()
    const broken: Store = new Proxy(store, {
      get(target, name, receiver) {
        if (name !== 'openSession' && name !== 'findSession' && name !== 'sessionsWith')
          return Reflect.get(target, name, receiver)
        return () => Promise.reject(new Error('the database is gone'))
      },
    })
    setting = await startSetting({ store: broken })
    for (const { messages, model } of callsOf('anthropic').slice(1)) {
      const { status, answer, receipt } = await compress(setting.gateway.url, { messages, model })
      expect([status, answer.messages]).toEqual([200, messages])
      expect(receipt).toMatch(/^bypass; reason=/)
    }
    const hash = '0123456789abcdef01234567'
    expect((await retrieve(setting.gateway.url, hash)).status).toBe(503)
    expectedFaults = setting.faults.length
    expect(expectedFaults).toBeGreaterThan(0)
  })
})

describe('a chat whose system prompt is marked for the cache, as LiteLLM and Claude have it', () => {
  it('is shortened like any other', async () => {
    const text = 'You are a careful agent.'
    const system = {
      role: 'system',
      content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
    }
    const calls = callsOf('openai-chat').map(({ messages }) => ({
      messages: [system, ...messages],
      model: 'claude-sonnet-4-5',
    }))
    const answers = await conversation(calls)
    expect(answers.at(-1)?.compression_ratio).toBeLessThan(0.7)
  })
})

describe('a text that hundreds of sessions have', () => {
  it('is given back to each of them', async () => {
    const calls = callsOf('anthropic')
    const own = { authorization: 'Bearer one-of-many' }
    const answers = await conversation(calls, own)
    const [hash = ''] = answers.at(-1)?.ccr_hashes ?? []
    const loaded = await setting.store.sessionsWith([hash], 1)
    const { messages } = await setting.store.load(loaded[0] as StoredSession)
    for (let at = 0; at < 250; at++) {
      const session = await setting.store.openSession({ id: `other-${at}`, origin: 'plug' })
      await setting.store.append(session, {
        expected: { messages: 0, ledger: 0, entries: 0 },
        messages,
      })
    }
    expect((await retrieve(setting.gateway.url, hash, own)).status).toBe(200)
    expect((await retrieve(setting.gateway.url, hash)).status).toBe(404)
  })
})

describe('GET /v1/retrieve', () => {
  it('answers 404 for a hash of nobody, and 400 for what is no hash', async () => {
    const { url } = setting.gateway
    expect((await retrieve(url, '0123456789abcdef01234567')).status).toBe(404)
    for (const hash of ['abc', '0123456789ABCDEF01234567', '..%2f..', '0'.repeat(25)])
      expect((await fetch(`${url}/v1/retrieve/${hash}`)).status).toBe(400)
    expect((await post(`${url}/v1/retrieve/${'0'.repeat(24)}`, '')).status).toBe(405)
  })

  it('knows nothing of the sessions on the model routes', async () => {
    const [body = ''] = storyBodies('anthropic').slice(-1)
    await setting.post('/v1/messages', body, { 'x-api-key': 'sk-one' })
    const [session] = await setting.store.sessions()
    expect(session?.origin).toBe('gateway')
    await conversation(callsOf('anthropic'), { 'x-api-key': 'sk-one' })
    const origins = (await setting.store.sessions()).map(({ origin }) => origin)
    expect([...origins].sort()).toEqual(['gateway', 'plug'])
  })
})

describe('a gateway with a token', () => {
  it('takes it in each header that a caller may use', async () => {
    await setting.stop()
    setting = await startSetting({ token: 'secret-token' })
    const [call] = callsOf('anthropic')
    const refused = await post(`${setting.gateway.url}/v1/compress`, JSON.stringify(call))
    expect(refused.status).toBe(401)
    const shown = [
      { authorization: 'Bearer secret-token' },
      { 'x-api-key': 'secret-token' },
      { 'x-headroom-proxy-token': 'secret-token' },
      { 'x-palimpsest-token': 'secret-token' },
    ]
    for (const headers of shown)
      expect((await compress(setting.gateway.url, call, headers as never)).status).toBe(200)
  })
})
