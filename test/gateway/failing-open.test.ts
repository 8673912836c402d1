import { hash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { ProjectedChange } from '../../src/core/session/project.ts'
import { PalimpsestError, type StoreErrorCode } from '../../src/core/words/errors.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { rewriteBody } from '../../src/gateway/rewrite-body.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { type Setting, type SettingOptions, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting | null = null

afterEach(() => setting?.stop())

async function started(options: SettingOptions): Promise<Setting> {
  setting = await startSetting(options)
  return setting
}

const headers = { 'x-session-id': 's', 'x-api-key': 'k' }
const bodies = storyBodies('anthropic')

/** A store in memory that refuses a kind of work while it is told to. */
function failing(
  method: 'append' | 'openSession' | 'load',
  code: StoreErrorCode,
): { readonly store: Store; fails: boolean } {
  const memory = createMemoryStore()
  const switched = { fails: true }
  const refuse = async (): Promise<never> => {
    throw new PalimpsestError(code, 'as the test wants it')
  }
  const work = memory[method].bind(memory) as (...args: unknown[]) => Promise<unknown>
  const store: Store = {
    ...memory,
    [method]: (...args: unknown[]) => (switched.fails ? refuse() : work(...args)),
  }
  return Object.assign(switched, { store })
}

describe('the original goes out, and the answer says why', () => {
  it.each([
    ['append', 'store-locked'],
    ['append', 'store-full'],
    ['openSession', 'store-unreachable'],
    ['load', 'store-corrupt'],
  ] as const)('when the store cannot %s (%s)', async (method, code) => {
    const { store } = failing(method, code)
    const { post, upstream, faults } = await started({ store })
    const body = bodies.at(-1) as string
    const reply = await post(paths.anthropic, body, headers)
    expect(reply.status).toBe(200)
    expect(reply.headers['x-palimpsest']).toMatch(new RegExp(`^bypass; reason=${code}$`))
    expect(upstream.received.at(-1)?.sha256).toBe(hash('sha256', body))
    expect(faults).toHaveLength(1)
  })

  it('and pruning comes back with the store', async () => {
    let time = 0
    const broken = failing('append', 'store-locked')
    const { post, upstream } = await started({ store: broken.store, now: () => time })
    const sizes: number[] = []
    for (const [turn, body] of bodies.entries()) {
      if (turn === 6) broken.fails = false
      time += 20_000
      await post(paths.anthropic, body, headers)
      sizes.push((upstream.received.at(-1)?.body.length ?? 0) / Buffer.byteLength(body))
    }
    expect(sizes.slice(0, 6)).toEqual(Array(6).fill(1))
    expect(Math.max(...sizes.slice(7))).toBeLessThan(0.9)
    const stored = (await broken.store.sessions()).find(({ id }) => id === 's')
    expect(stored?.messages).toBe(25)
  })

  it('when the engine fails inside', async () => {
    const { post, upstream, faults } = await started({
      // A model whose name cannot be looked at breaks the schedule, not the request.
      config: { models: [{ model: null as unknown as string }] },
    })
    const body = bodies.at(-1) as string
    const reply = await post(paths.anthropic, body, headers)
    expect(reply.headers['x-palimpsest']).toMatch(/^bypass; reason=(engine|internal error)/)
    expect(upstream.received.at(-1)?.sha256).toBe(hash('sha256', body))
    expect(faults.length).toBeGreaterThan(0)
  })
})

describe('a change of ours that would break a rule', () => {
  const { read, validate } = bodyFormats.anthropic
  const request = read(bodies.at(-1) as string)
  const at = (message: number, item: number, text: string | null): ProjectedChange => ({
    message,
    item,
    text,
    decision: { handle: 'a1b2c3' } as ProjectedChange['decision'],
    by: null,
  })

  it('takes all changes of the request with it', () => {
    const broken = at(0, 0, 'Something else than the user said.')
    const fine = at(2, 0, '[left out · context_restore a1b2c3]')
    const options = { model: null, before: null, branch: null }
    const taken = rewriteBody('anthropic', request, [fine], options)
    expect(validate(taken.body)).toEqual([])
    expect(taken.body === request.source).toBe(false)
    const sent = rewriteBody('anthropic', request, [broken, fine], options)
    expect(sent.body === request.source).toBe(true)
    expect(sent).toMatchObject({ removedTokens: 0, forwarded: null })
    expect(sent.violation?.rule).toBe('anthropic/user-text-changed')
  })
})

describe('a gateway that can be reached from elsewhere', () => {
  it('wants its token for everything but the models', async () => {
    const { gateway, post } = await started({ token: 'open-sesame' })
    const get = async (path: string, more: Record<string, string> = {}): Promise<number> =>
      (await fetch(`${gateway.url}${path}`, { headers: more })).status
    expect(await get('/palimpsest/status')).toBe(401)
    expect(await get('/v1/anything')).toBe(401)
    expect(await get('/palimpsest/status', { 'x-palimpsest-token': 'wrong' })).toBe(401)
    expect(await get('/palimpsest/status', { 'x-palimpsest-token': 'open-sesame' })).toBe(200)
    expect(await get('/palimpsest/status', { authorization: 'Bearer open-sesame' })).toBe(200)
    expect((await post(paths.anthropic, bodies[0] as string)).status).toBe(200)
    expect(await get('/v1/models')).toBe(200)
  })

  it('never sends its token on', async () => {
    const { gateway, upstream } = await started({ token: 'open-sesame' })
    await fetch(`${gateway.url}/v1/other`, { headers: { 'x-palimpsest-token': 'open-sesame' } })
    expect(upstream.received).toHaveLength(1)
    for (const [path, shown] of [
      ['/v1/other', { authorization: 'Bearer open-sesame' }],
      ['/v1/other', { cookie: 'palimpsest-token=open-sesame' }],
      ['/v1/other?palimpsest-token=open-sesame', {}],
    ] as const)
      expect((await fetch(`${gateway.url}${path}`, { headers: shown })).status).toBe(401)
    expect(upstream.received).toHaveLength(1)
    expect(JSON.stringify(upstream.received[0]?.rawHeaders)).not.toContain('open-sesame')
  })

  it('on loopback answers only to a name of this machine', async () => {
    const { post, gateway } = await started({})
    const reply = await post('/palimpsest/status', '', { host: 'evil.example:80' })
    expect(reply.status).toBe(403)
    expect((await fetch(`${gateway.url}/palimpsest/status`)).status).toBe(200)
  })
})
