import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { modelFacts } from '../../src/core/schedule/models/model-facts.ts'
import { regimeOf } from '../../src/core/schedule/regimes.ts'
import type { StoredSession } from '../../src/store/index.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting

beforeEach(async () => {
  setting = await startSetting()
})
afterEach(() => setting.stop())

interface Said {
  readonly before: number
  readonly after: number
  readonly epoch: number
  readonly saved: number
  readonly receipt: string
}

async function send(path: string, body: string, session: string): Promise<Said> {
  const headers = { 'x-session-id': session, 'x-api-key': 'k' }
  const reply = await setting.post(path, body, headers)
  const receipt = String(reply.headers['x-palimpsest'])
  const figure = (name: string): number =>
    Number(new RegExp(`\\b${name}=\\$?(-?[\\d.]+)`).exec(receipt)?.[1])
  const [before, after, epoch, saved] = ['before', 'after', 'epoch', 'saved'].map(figure) as [
    number,
    number,
    number,
    number,
  ]
  return { before, after, epoch, saved, receipt }
}

const sumOf = (said: readonly Said[]): number => said.reduce((sum, { saved }) => sum + saved, 0)

/** What all sessions of the store have saved, once the figures of the last answer are written. */
async function savedIn({ store, gateway }: Setting): Promise<number> {
  await gateway.close(0)
  let saved = 0
  for (const session of await store.sessions())
    saved += (await store.load(session)).statistics.savedDollars ?? 0
  return saved
}

interface Conversation {
  readonly model: string
  readonly messages: readonly object[]
}

describe('a fork', () => {
  const story = storyBodies('anthropic', { turns: 20 })
  const shared = JSON.parse(story[12] as string) as Conversation
  const facts = modelFacts(shared.model)

  /** What a request would have cost if nothing of it had been cached. */
  const fullPrice = ({ before }: Said): number =>
    (before * facts.inputPrice * regimeOf(facts).write) / 1_000_000

  function fork(way: number): string {
    const said = [
      { role: 'assistant', content: `Done, ${way}.` },
      { role: 'user', content: `Now go another way, the ${way}th.` },
    ]
    return JSON.stringify({ ...shared, messages: [...shared.messages, ...said] })
  }

  it.each([
    ['', async () => {}],
    [' after a restart', () => setting.restart()],
  ])('saves what it is shorter by, and not once more what its origin saved%s', async (_, pause) => {
    const all: Said[] = []
    for (const body of story) all.push(await send(paths.anthropic, body, 'origin'))
    await pause()
    const forks: Said[] = []
    for (const way of [1, 2, 3]) forks.push(await send(paths.anthropic, fork(way), 'origin'))
    for (const each of [...all, ...forks]) {
      expect(each.saved, each.receipt).toBeLessThanOrEqual(fullPrice(each))
      const share = (each.before - each.after) / each.before
      expect(each.saved, each.receipt).toBeLessThanOrEqual(1.2 * share * fullPrice(each))
    }
    expect(Math.min(...forks.map(({ saved }) => saved))).toBeGreaterThan(0)
    const kept = await savedIn(setting)
    expect(kept).toBeCloseTo(sumOf([...all, ...forks]), 3)
  })
})

describe('a request that goes out as it came because a rule would be broken', () => {
  const format = 'openai-responses'
  const story = storyBodies(format, { turns: 20 })
  /** A conversation that is kept elsewhere, in a way that only the validator knows. */
  const stored = (body: string): string =>
    JSON.stringify({ ...(JSON.parse(body) as object), conversation: 'kept' })

  it('saves nothing and opens no epoch, however long the session goes on', async () => {
    for (const body of story.map(stored)) {
      const said = await send(paths[format], body, 'stored')
      expect(String(setting.upstream.received.at(-1)?.body)).toBe(body)
      if (said.receipt.startsWith('before')) continue
      expect(said.receipt).toMatch(
        /^bypass; reason=invalid openai-responses\/stored-input-changed; before=(\d+); after=\1; epoch=0; saved=\$0$/,
      )
    }
    const { bypasses, savedDollars } = setting.gateway.status()
    expect(bypasses).toEqual({ 'invalid openai-responses/stored-input-changed': 17 })
    expect(savedDollars).toBe(0)
    expect(await savedIn(setting)).toBe(0)
    const [session] = await setting.store.sessions()
    const { ledger } = await setting.store.load(session as StoredSession)
    expect(ledger.findLast((entry) => entry.kind === 'request')?.balances[0]).toBe(0)
  })

  it('costs what the provider had otherwise, and that is said', async () => {
    for (const body of story.slice(0, 12)) await send(paths[format], body, 'late')
    const before = setting.gateway.status().savedDollars
    const first = await send(paths[format], stored(story[12] as string), 'late')
    expect(first.receipt).toMatch(/^bypass/)
    expect(first.saved).toBeLessThan(0)
    const second = await send(paths[format], stored(story[13] as string), 'late')
    expect(second).toMatchObject({ saved: 0 })
    // What is shown from now on has to be written once more.
    const third = await send(paths[format], story[14] as string, 'late')
    const { savedDollars } = setting.gateway.status()
    expect(savedDollars).toBeCloseTo(before + first.saved + third.saved, 3)
    let control: Said | undefined
    for (const body of story.slice(0, 15)) control = await send(paths[format], body, 'control')
    expect(third.saved).toBeLessThan(control?.saved ?? 0)
  })
})
