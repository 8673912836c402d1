import { afterEach, expect, it } from 'vitest'
import { PalimpsestError } from '../../src/core/words/errors.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

/** On these models reasoning is valid only behind the very bytes that were sent before it. */
const model = 'claude-opus-5-5'
let setting: Setting | null = null

afterEach(() => setting?.stop())

/** The story as such a model's client sends it: every answer begins with signed reasoning. */
function boundBodies(): readonly string[] {
  return storyBodies('anthropic').map((body) => {
    const parsed = JSON.parse(body) as { messages: { role: string; content: object[] }[] }
    const messages = parsed.messages.map(({ role, content }, at) => {
      const thinking = { type: 'thinking', thinking: '', signature: `c2ln${at}` }
      return { role, content: role === 'assistant' ? [thinking, ...content] : content }
    })
    return JSON.stringify({ ...parsed, model, thinking: { type: 'adaptive' }, messages })
  })
}

const refusal =
  '{"type":"error","error":{"type":"invalid_request_error","message":"cannot be modified"}}'
const headers = { 'x-session-id': 'bound', 'x-api-key': 'k' }

function expectOnlyAdded(arrived: readonly string[]): void {
  for (const [at, after] of arrived.entries()) {
    const before = arrived[at - 1]
    if (before === undefined) continue
    expect(after.startsWith(before.slice(0, before.lastIndexOf(']}]')))).toBe(true)
  }
}

it.each([[{}], [{ schedule: 'eager' }], [{ preset: 'acp' }]] as const)(
  'prunes before reasoning is bound, and changes nothing afterwards (%j)',
  async (config) => {
    setting = await startSetting({ config })
    const arrived: string[] = []
    for (const body of boundBodies()) {
      const reply = await setting.post(paths.anthropic, body, headers)
      expect(reply.headers['x-palimpsest']).not.toContain('bypass')
      arrived.push(String(setting.upstream.received.at(-1)?.body))
    }
    const share = 'preset' in config ? 1.01 : 0.7
    expect(arrived.at(-1)?.length).toBeLessThan((boundBodies().at(-1)?.length ?? 0) * share)
    expectOnlyAdded(arrived)
  },
)

it('sends no original behind pruned requests when the store fails, because it would be refused', async () => {
  const memory = createMemoryStore()
  let fails = false
  const store: Store = {
    ...memory,
    append: (...args) => {
      if (!fails) return memory.append(...args)
      throw new PalimpsestError('store-full', 'as the test wants it')
    },
  }
  setting = await startSetting({ store })
  const arrived: string[] = []
  for (const [turn, body] of boundBodies().entries()) {
    fails = turn >= 6 && turn < 9
    await setting.post(paths.anthropic, body, headers)
    arrived.push(String(setting.upstream.received.at(-1)?.body))
  }
  expectOnlyAdded(arrived)
})

it('asks the client to try again where a gateway without the store cannot know what was sent before', async () => {
  const gone = new PalimpsestError('store-unreachable', 'as the test wants it')
  const fail = (): Promise<never> => Promise.reject(gone)
  const memory = createMemoryStore()
  const store: Store = { ...memory, openSession: fail, findSession: fail, sessionsWith: fail }
  setting = await startSetting({ store })
  setting.upstream.answerWith((response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end(refusal)
  })
  const body = boundBodies().at(-1) as string
  const reply = await setting.post(paths.anthropic, body, headers)
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
  expect(reply.headers['x-palimpsest']).toBe('bypass; reason=store-unreachable')
  expect(String(setting.upstream.received.at(-1)?.body)).toBe(body)
  expect(JSON.parse(reply.body).error.message).toMatch(/store does not answer.*try again/)

  const unsigned = storyBodies('anthropic').at(-1) as string
  const refused = await setting.post(paths.anthropic, unsigned, headers)
  expect([refused.status, refused.body]).toEqual([400, refusal])
})
