import { afterEach, describe, expect, it } from 'vitest'
import { newToken } from '../../src/gateway/tokens/token-text.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const bodies = storyBodies('anthropic', { turns: 24 })
const messagesOf = (body = '{}'): readonly unknown[] =>
  (JSON.parse(body) as { readonly messages: readonly unknown[] }).messages

let setting: Setting
afterEach(() => setting.stop())

async function send(body: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { status } = await setting.post(paths.anthropic, body, headers)
  expect(status).toBe(200)
  return String(setting.upstream.received.at(-1)?.body)
}

async function recordOf(store: Store, owner: string | null): Promise<string> {
  const sessions = await store.sessions({ owner })
  const loaded = await Promise.all(sessions.map((session) => store.load(session)))
  return JSON.stringify(loaded.map(({ messages }) => messages))
}

describe('a request that has the beginning of a stored session', () => {
  it('of a named token gets nothing of it without that token, also after a restart', async () => {
    const store = createMemoryStore()
    setting = await startSetting({ store, token: 'the-administrator' })
    const { id, hash, text } = newToken()
    const person = { name: 'ana', createdAt: 0, expiresAt: null, revokedAt: null }
    await store.team.addToken({ id, hash, ...person })
    const ana = { 'x-api-key': 'hers', 'x-session-id': 's', 'x-palimpsest-token': text }
    for (const body of bodies.slice(0, 6)) await send(body, ana)
    const theirs = await recordOf(store, 'ana')
    const ends = [...theirs.matchAll(/"handles":\["([0-9a-f]+)/g)].map(([, handle]) => handle)
    await setting.restart()
    await send(bodies[2] ?? '', { 'x-api-key': 'another', 'x-session-id': 's' })
    const foreign = await recordOf(store, null)
    expect(foreign).toContain(String(ends[0]))
    expect(foreign).not.toContain(String(ends.at(-1)))
    expect(await recordOf(store, 'ana')).toBe(theirs)
  })

  it('is a session of its own when it begins anew under another id', async () => {
    setting = await startSetting()
    const key = { 'x-api-key': 'one' }
    const first: string[] = []
    for (const body of bodies) first.push(await send(body, { ...key, 'x-session-id': 'first' }))
    expect(first.at(-1)?.length).toBeLessThan(Number(bodies.at(-1)?.length))
    for (const [turn, body] of bodies.entries())
      expect(await send(body, { ...key, 'x-session-id': 'second' })).toBe(first[turn])
  })

  it.each([false, true])(
    'is shown as it was when it is resumed under another id and goes back (after a restart: %s)',
    async (restarts) => {
      setting = await startSetting()
      const key = { 'x-api-key': 'one' }
      const sent: string[] = []
      for (const body of bodies.slice(0, 21))
        sent.push(await send(body, { ...key, 'x-session-id': 'first' }))
      if (restarts) await setting.restart()
      const resumed = await send(bodies[19] ?? '', { ...key, 'x-session-id': 'second' })
      const before = messagesOf(sent.at(-1)).slice(0, 30)
      expect(before).not.toEqual(messagesOf(bodies[20]).slice(0, 30))
      expect(messagesOf(resumed).slice(0, 30)).toEqual(before)
    },
  )
})
