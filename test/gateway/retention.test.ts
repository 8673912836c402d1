import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import { startRetention } from '../../src/gateway/operations/retention.ts'
import {
  createMemoryStore,
  openStore,
  type Store,
  type StoreLocation,
} from '../../src/store/index.ts'
import { sharedPostgres } from '../store/postgres.ts'
import { type ServedCommands, serveCommands } from './served-commands.ts'
import { post, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

const day = 86_400_000

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100 && !(await isDone()); tries++) await sleep(50)
}

const idsIn = async (store: Store): Promise<readonly string[]> =>
  (await store.sessions()).map(({ id }) => id)

describe('a gateway with gc limits', () => {
  it('removes what was not used for that long, and keeps the rest', async () => {
    const clock = { now: Date.now() - 40 * day }
    const store = createMemoryStore({ now: () => clock.now })
    await store.openSession({ id: 'old', origin: 'test' })
    clock.now += 20 * day
    await store.openSession({ id: 'newer', origin: 'test' })
    clock.now += 20 * day
    const setting = await startSetting({ store, config: { gc: { olderThan: '30d' } } })
    await until(async () => (await store.sessions()).length === 1)
    expect(await idsIn(store)).toEqual(['newer'])
    await setting.stop()
  })

  it('removes the longest unused until the store fits', async () => {
    const clock = { now: 1 }
    const store = createMemoryStore({ now: () => clock.now })
    for (const id of ['one', 'two', 'three']) {
      clock.now += day
      const session = await store.openSession({ id, origin: 'test' })
      const item = { kind: 'text', text: id.padEnd(40_000, id) } as const
      const message = {
        previous: null,
        draft: { role: 'user', items: [item] },
        handles: ['aaaaaa'],
      } as const
      await store.append(session, {
        expected: { messages: 0, ledger: 0, entries: 0 },
        messages: [message],
      })
    }
    const setting = await startSetting({ store, config: { gc: { largerThan: '170kB' } } })
    await until(async () => (await store.sessions()).length === 2)
    expect(await idsIn(store)).toEqual(['three', 'two'])
    await setting.stop()
  })

  it('removes nothing without limits', async () => {
    const store = createMemoryStore({ now: () => 1 })
    await store.openSession({ id: 'old', origin: 'test' })
    const setting = await startSetting({ store })
    await sleep(100)
    expect(await idsIn(store)).toEqual(['old'])
    await setting.stop()
  })
})

function oneAtATime(place: () => Promise<StoreLocation>): void {
  it('is the only one of its store that does it, until its claim ends', async () => {
    const location = await place()
    const stores = await Promise.all([
      openStore(location),
      openStore(location),
      openStore(location),
    ])
    const runs: number[] = []
    const now = { at: Date.now() }
    const start = (): { stop(): void }[] =>
      stores.map((store, at) =>
        startRetention({
          store: {
            team: store.team,
            gc: async (limits) => {
              runs.push(at)
              return store.gc(limits)
            },
          },
          limits: { olderThan: '30d' },
          now: () => now.at,
          onFault(fault) {
            throw fault
          },
        }),
      )
    const first = start()
    await until(async () => runs.length > 0)
    await sleep(200)
    expect(runs).toHaveLength(1)
    now.at += 9 * 60_000
    const second = start()
    await sleep(300)
    expect(runs).toHaveLength(1)
    now.at += 2 * 60_000
    const third = start()
    await until(async () => runs.length > 1)
    await sleep(200)
    expect(runs).toHaveLength(2)
    for (const each of [...first, ...second, ...third]) each.stop()
    for (const store of stores) await store.close()
  })
}

describe('one of several gateways on a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest retention '))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  oneAtATime(async () => ({ kind: 'sqlite', path: path.join(folder, 'shared.db') }))
})

describe.skipIf(postgresFolder() === null)(
  'one of several gateways in PostgreSQL [npm test -- --all installs it]',
  { timeout: 60_000 },
  () => {
    oneAtATime(async () => ({ kind: 'postgres', url: await (await sharedPostgres()).database() }))
  },
)

describe('record: "none"', { timeout: 60_000 }, () => {
  let served: ServedCommands
  beforeAll(async () => {
    served = await serveCommands()
  }, 120_000)
  afterAll(() => served.stop())

  it('comes to the same bytes on another gateway, which has nothing but the history', async () => {
    const bodies = storyBodies('anthropic', { turns: 30 })
    const headers = { 'x-session-id': 's', 'x-api-key': 'k' }
    const arrived = async (sent: readonly string[]): Promise<readonly string[]> => {
      const setting = await startSetting({ config: { record: 'none' } })
      for (const body of sent) await setting.post(paths.anthropic, body, headers)
      await setting.stop()
      return setting.upstream.received.map(({ body }) => String(body))
    }
    const whole = await arrived(bodies)
    expect(whole.at(-1)?.length).toBeLessThan((bodies.at(-1)?.length ?? 0) / 2)
    for (const from of [7, 20]) expect(await arrived(bodies.slice(from))).toEqual(whole.slice(from))
  })

  it('stores no text, and every changed result points to one that stays visible', async () => {
    const configuration = { record: 'none', memory: { learn: true }, preset: 'compact' }
    writeFileSync(path.join(served.folder, 'palimpsest.jsonc'), JSON.stringify(configuration))
    const serving = await served.start('unrecorded.db')
    const bodies = storyBodies('anthropic', {
      turns: 30,
      prompt: 'Always use zweihundertvierzig spaces. Rename the counter everywhere.',
    })
    const sent: string[] = []
    for (const body of bodies) {
      const answer = await post(`${serving.url}${paths.anthropic}`, body, {
        'x-session-id': 's',
        'x-api-key': 'k',
      })
      expect(answer.headers['x-palimpsest']).not.toContain('bypass')
      sent.push(String(served.upstream.received.at(-1)?.body))
    }
    const [last = '', original = ''] = [sent.at(-1), bodies.at(-1)]
    expect(last.length).toBeLessThan(original.length)
    const results = (body: string): readonly string[] =>
      (JSON.parse(body).messages as { content: string | { content?: string }[] }[]).flatMap(
        ({ content }) =>
          typeof content === 'string' ? [] : content.flatMap((block) => block.content ?? []),
      )
    const [shown, whole] = [results(last), results(original)]
    const changed = shown.filter((text, at) => text !== whole[at])
    expect(changed.length).toBeGreaterThan(0)
    for (const text of changed) expect(text).toMatch(/unchanged since|same as|as in/)
    // What each request showed stays: the next one only adds.
    for (const [at, body] of sent.entries()) {
      const before = at === 0 ? [] : results(sent[at - 1] as string)
      expect(results(body).slice(0, before.length)).toEqual(before)
    }
    expect(await serving.end('SIGTERM')).toBe(0)
    const files = readdirSync(served.folder).filter((name) => !name.endsWith('.jsonc'))
    expect(files).toContain('unrecorded.db')
    const store = await openStore({
      kind: 'sqlite',
      path: path.join(served.folder, 'unrecorded.db'),
    })
    expect(await store.sessions()).toEqual([])
    await store.close()
    for (const name of files.filter((each) => each.includes('.db') || each.endsWith('.jsonl')))
      for (const word of ['zweihundertvierzig', 'toolu_', 'counter', 'part-0.ts'])
        expect([name, word, readFileSync(path.join(served.folder, name)).includes(word)]).toEqual([
          name,
          word,
          false,
        ])
  })
})
