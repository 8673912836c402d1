import { afterEach, beforeEach, expect, it } from 'vitest'
import { newToken } from '../../src/gateway/tokens/token-text.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { ownedStore } from '../../src/store/owned-store.ts'
import { compress, hashesIn, retrieve } from './compress-calls.ts'
import { post, type Setting, startSetting } from './setting.ts'
import { storyBodies } from './story.ts'

const store = createMemoryStore()
const calls = storyBodies('anthropic', { turns: 16 }).map((body) => {
  const { messages, model } = JSON.parse(body)
  return { messages, model }
})

let setting: Setting
beforeEach(async () => {
  setting = await startSetting({ store, token: 'the-administrator' })
})
afterEach(() => setting.stop())

async function tokenOf(name: string): Promise<string> {
  const { id, text, hash } = newToken()
  const ends = { expiresAt: null, revokedAt: null }
  await store.team.addToken({ id, name, hash, createdAt: Date.now(), ...ends })
  return text
}

/** The places where callers send a token. */
const places: Readonly<Record<string, (token: string) => Record<string, string>>> = {
  'our own header': (token) => ({ 'x-palimpsest-token': token, authorization: 'Bearer shared' }),
  'a bearer token, as LiteLLM': (token) => ({ authorization: `Bearer ${token}` }),
  "LiteLLM's other guardrail's key": (token) => ({ 'x-api-key': token }),
  'the proxy token, as Portkey': (token) => ({ 'x-headroom-proxy-token': token }),
}

it.each(Object.entries(places))(
  'keeps what one token left out from the holders of others, sent as %s',
  async (place, headersOf) => {
    const [ana, ben] = [`ana ${place}`, `ben ${place}`]
    const [anas, bens] = [headersOf(await tokenOf(ana)), headersOf(await tokenOf(ben))]
    const { url } = setting.gateway
    for (const call of calls.slice(0, -1))
      expect((await compress(url, call, anas)).status).toBe(200)
    const { answer } = await compress(url, calls.at(-1), anas)
    const hashes = hashesIn(answer.messages)
    expect(hashes.length).toBeGreaterThan(2)
    const again = headersOf(await tokenOf(ana))
    for (const hash of hashes) {
      expect((await retrieve(url, hash, bens)).status).toBe(404)
      expect((await ownedStore(store, ben).original(hash)).kind).toBe('absent')
      const { status, original } = await retrieve(url, hash, anas)
      expect(status).toBe(200)
      // Another token of the same name replaces the first.
      expect((await retrieve(url, hash, again)).original).toBe(original)
      const found = await ownedStore(store, ana).original(hash)
      expect(found.kind === 'found' && found.text).toBe(original)
    }
    expect((await compress(url, calls.at(-1), again)).answer.messages).toEqual(answer.messages)
    const wrong = headersOf('pal_0123456789_abcdefghijklmnopqrstuvwxyzABCDEF')
    expect((await retrieve(url, hashes[0] ?? '', wrong)).status).toBe(401)
  },
)

it('makes calls wait while the bodies of others fill the memory that bodies may take', async () => {
  await setting.stop()
  setting = await startSetting({ config: { limits: { bodyMegabytes: 1 } } })
  const messages = [{ role: 'user', content: 'x'.repeat(700_000) }]
  const body = JSON.stringify({ messages, model: 'gpt-5' })
  const url = `${setting.gateway.url}/v1/compress`
  const replies = await Promise.all(Array.from({ length: 6 }, () => post(url, body)))
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
  const larger = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(1_200_000) }] })
  expect((await post(url, larger)).status).toBe(503)
}, 30_000)
