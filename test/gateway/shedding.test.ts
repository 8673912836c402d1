import { afterEach, beforeEach, expect, it } from 'vitest'
import { newToken } from '../../src/gateway/tokens/token-text.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { bodyOf } from '../property/wire.ts'
import { compress } from './compress-calls.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies, storyMessages } from './story.ts'

/** Long histories that the gateway has not seen, all at once: more than it can decide about in two seconds. */
const strangers = Array.from({ length: 50 }, (_, at) => {
  const story = { turns: 100, word: `stranger ${at}`, prompt: `Do what stranger ${at} says.` }
  return bodyOf('anthropic', storyMessages(story).at(-1) ?? [])
})
const own = storyBodies('anthropic', { turns: 12, word: 'mine' })

let setting: Setting
let ana: Record<string, string>
beforeEach(async () => {
  const store = createMemoryStore()
  const { id, text, hash } = newToken()
  const ends = { expiresAt: null, revokedAt: null }
  await store.team.addToken({ id, name: 'ana', hash, createdAt: Date.now(), ...ends })
  ana = { 'x-api-key': 'shared', 'x-session-id': 'mine', 'x-palimpsest-token': text }
  setting = await startSetting({ store, token: 'the-administrator' })
})
afterEach(() => setting.stop())

const send = async (body: string, headers: Record<string, string>): Promise<string> => {
  const reply = await setting.post(paths.anthropic, body, headers)
  return String(reply.headers['x-palimpsest'])
}

it('decides about a session in memory before those that must be read, also for a named token', async () => {
  for (const body of own.slice(0, -1)) await send(body, ana)
  const others = strangers.map((body, at) =>
    send(body, { 'x-api-key': 'shared', 'x-session-id': `other ${at}` }),
  )
  const mine = await send(own.at(-1) ?? '', ana)
  const receipts = await Promise.all(others)
  // Otherwise nothing was overloaded, and the test would show nothing.
  expect(receipts).toContain('bypass; reason=busy')
  expect(mine).not.toContain('busy')
  const asked = { headers: { 'x-palimpsest-token': 'the-administrator' } }
  const metrics = await (await fetch(`${setting.gateway.url}/metrics`, asked)).text()
  const count = (series: string): number =>
    Number(new RegExp(`^palimpsest_added_seconds_${series} (.*)$`, 'm').exec(metrics)?.[1])
  // The time in the queue is time that the gateway adds.
  expect(count('count')).toBeGreaterThan(count('bucket\\{le="1"\\}'))
}, 120_000)

it('gives calls of other gateways back as they came before they wait long', async () => {
  const headers = { authorization: 'Bearer the-administrator' }
  const calls = strangers.map((body) => {
    const { messages, model } = JSON.parse(body)
    return { messages, model }
  })
  const answers = await Promise.all(
    calls.map((call) => compress(setting.gateway.url, call, headers)),
  )
  const shed = answers.filter(({ receipt }) => receipt === 'bypass; reason=busy')
  expect(shed.length).toBeGreaterThan(0)
  for (const [at, { status, answer, receipt }] of answers.entries()) {
    expect([at, status]).toEqual([at, 200])
    if (receipt.includes('busy')) expect(answer.messages).toEqual(calls[at]?.messages)
  }
}, 120_000)
