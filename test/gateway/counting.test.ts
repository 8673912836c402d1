import { hash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { PalimpsestError } from '../../src/core/words/errors.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { bodyOf } from '../property/wire.ts'
import { type Setting, type SettingOptions, startSetting } from './setting.ts'
import { paths, storyBodies, storyMessages } from './story.ts'

/** Requests that are no turns, but see what a turn would send. */
const beside = {
  anthropic: '/v1/messages/count_tokens',
  'openai-responses': '/v1/responses/compact',
  gemini: '/v1beta/models/gemini-3-pro:countTokens',
} as const
type Counted = keyof typeof beside
type Headers = Readonly<Record<string, string>>

let setting: Setting

afterEach(() => setting.stop())

async function start(options: SettingOptions = {}): Promise<void> {
  setting = await startSetting(options)
}

async function arrived(path: string, body: string, headers: Headers): Promise<string> {
  await setting.post(path, body, headers)
  return named(setting.upstream.received.at(-1)?.body.toString() ?? '')
}

function named(body: string): string {
  return `${body.length} ${hash('sha256', body).slice(0, 12)}`
}

/** Sends bodies as turns, and gives what arrived for the last one. */
async function sent(
  format: BodyFormatName,
  bodies: readonly string[],
  headers: Headers,
): Promise<string> {
  let last = ''
  for (const body of bodies) last = await arrived(paths[format], body, headers)
  return last
}

/** The requests of a conversation that leaves a story after so many messages. */
function forkAfter(format: BodyFormatName, shared: number): readonly string[] {
  const [story, other] = ['alpha', 'beta'].map((word) => storyMessages({ word }).at(-1) ?? [])
  const fork = [...(story?.slice(0, shared) ?? []), ...(other?.slice(shared) ?? [])]
  const lengths = [shared + 2, shared + 4, shared + 6]
  return lengths.map((length) => bodyOf(format, fork.slice(0, length)))
}

const key = { 'x-api-key': 'sk-one' }
const nameless: Headers = key
const name: Headers = { ...key, 'x-session-id': 'counted' }

describe.each(Object.keys(beside) as Counted[])(
  'what is counted or compacted over %s',
  (format) => {
    const bodies = storyBodies(format)
    const body = bodies.at(-1) as string

    it.each([
      ['a name', name],
      ['none', nameless],
    ])('is what was sent, after a restart of a session with %s', async (_, headers) => {
      await start()
      const expected = await sent(format, bodies, headers)
      await setting.restart()
      expect(await arrived(beside[format], body, headers)).toBe(expected)
      expect(await sent(format, [body], headers)).toBe(expected)
    })

    it.each([
      ['a name', name],
      ['none', nameless],
    ])('is what was sent in a fork of a session with %s', async (_, headers) => {
      await start()
      const fork = forkAfter(format, 17)
      await sent(format, bodies, headers)
      // Before its first turn it is what that turn will be.
      const first = await arrived(beside[format], fork[0] as string, headers)
      expect(await sent(format, fork.slice(0, 1), headers)).toBe(first)
      const expected = await sent(format, fork.slice(1), headers)
      await setting.restart()
      expect(await arrived(beside[format], fork.at(-1) as string, headers)).toBe(expected)
    })
  },
)

describe('what is counted', () => {
  const bodies = storyBodies('anthropic')
  const body = bodies.at(-1) as string

  it('is what was sent to another model under the same name', async () => {
    await start()
    const small = bodies.map((each) => each.replace('claude-sonnet-4-5', 'claude-haiku-4-5'))
    await sent('anthropic', bodies, name)
    const expected = await sent('anthropic', small, name)
    await setting.restart()
    expect(await arrived(beside.anthropic, small.at(-1) as string, name)).toBe(expected)
  })

  it('is what was sent when the session had to leave the memory, and leaves it again', async () => {
    await start({ memoryBytes: 1 })
    const other = storyBodies('anthropic', { prompt: 'Something else.', word: 'beta' })
    const expected = await sent('anthropic', bodies, nameless)
    const otherExpected = await sent('anthropic', other, nameless)
    expect(await arrived(beside.anthropic, body, nameless)).toBe(expected)
    expect(await arrived(beside.anthropic, other.at(-1) as string, nameless)).toBe(otherExpected)
    expect(setting.gateway.status().sessions).toBe(1)
  })

  it('of a session that nobody knows makes none, and loads none', async () => {
    let loads = 0
    const memory = createMemoryStore()
    const store: Store = {
      ...memory,
      load(session) {
        loads++
        return memory.load(session)
      },
    }
    await start({ store })
    for (const headers of [name, nameless]) {
      await arrived(beside.anthropic, body, headers)
      expect(setting.upstream.received.at(-1)?.body.length).toBeLessThan(body.length)
    }
    expect([loads, await store.sessions()]).toEqual([0, []])
  })

  it('passes as it came when the store cannot be read', async () => {
    const memory = createMemoryStore()
    const store: Store = {
      ...memory,
      findSession: async () => {
        throw new PalimpsestError('store-unreachable', 'as the test wants it')
      },
    }
    await start({ store })
    const reply = await setting.post(beside.anthropic, body, nameless)
    expect(reply.headers['x-palimpsest']).toMatch(/^bypass; reason=store-unreachable/)
    expect(setting.upstream.received.at(-1)?.body.toString()).toBe(body)
  })
})
