import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import { type ProjectedChange, Projection } from '../../src/core/session/project.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import type { Verified } from '../../src/gateway/status.ts'
import { checkRequest } from '../../src/gateway/verify/check-request.ts'
import type { Sample } from '../../src/gateway/verify/sample.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { createUser } from '../setup/own-command.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting | undefined

afterEach(async () => {
  vi.restoreAllMocks()
  await setting?.stop()
  setting = undefined
})

async function verifying(store: Store = createMemoryStore()): Promise<Setting> {
  setting = await startSetting({ config: { verify: true }, store })
  const usage = { input_tokens: 9_000, cache_read_input_tokens: 8_000, output_tokens: 5 }
  setting.upstream.answerWith((response) => void response.end(JSON.stringify({ usage })))
  return setting
}

function verifiedBy({ gateway }: Setting): Verified {
  const { verified } = gateway.status()
  if (verified === null) throw new Error('nothing is verified')
  return verified
}

/** Waits until one more request was checked. */
async function oneMore(each: Setting, before: number): Promise<void> {
  const end = Date.now() + 2_000
  while (verifiedBy(each).requests === before && Date.now() < end) await sleep(5)
}

describe('verify', () => {
  it('finds no broken promise in usual traffic of every format', async () => {
    const started = await verifying()
    let requests = 0
    for (const format of Object.keys(bodyFormats) as BodyFormatName[]) {
      for (const word of ['alpha', 'beta']) {
        const bodies = storyBodies(format, { word, turns: 14 })
        for (const body of bodies) {
          const headers = { 'x-session-id': `${format} ${word}` }
          expect((await started.post(paths[format], body, headers)).status).toBe(200)
          requests++
        }
        // A fork of it.
        await started.post(paths[format], bodies[9] as string, { 'x-session-id': 'another' })
      }
      await oneMore(started, verifiedBy(started).requests)
    }
    expect(requests).toBeGreaterThan(100)
    const { breaches, last, requests: checked } = verifiedBy(started)
    expect([breaches, last]).toEqual([{}, null])
    expect(checked).toBeGreaterThan(8)
    expect(started.gateway.status().changed).toBeGreaterThan(30)
    expect(started.faults).toEqual([])
  })

  it('is off unless the configuration says so', async () => {
    setting = await startSetting()
    await setting.post(paths.anthropic, storyBodies('anthropic').at(-1) as string)
    expect(setting.gateway.status().verified).toBeNull()
  })
})

type Break = (changes: readonly ProjectedChange[], call: number) => readonly ProjectedChange[]

const withText = (change: ProjectedChange, text: string): ProjectedChange => ({
  ...change,
  text,
  decision: { ...change.decision, rendition: { ...change.decision.rendition, text } },
})

const onLast =
  (edit: (change: ProjectedChange, call: number) => ProjectedChange): Break =>
  (changes, call) => {
    const last = changes.findLast(({ text }) => text !== null)
    return changes.map((change) => (change === last ? edit(change, call) : change))
  }

/** What a fault in the engine would do to its decisions, and the promise that it breaks. */
const faults: Readonly<Record<string, readonly [promise: string, broken: Break]>> = {
  'a rendition without its handle': [
    'restorable',
    onLast((change) => withText(change, '[something was here]')),
  ],
  'a rendition with the handle of another item': [
    'restorable',
    onLast((change) => ({ ...change, decision: { ...change.decision, handle: 'ffffffffff' } })),
  ],
  'a rendition that is longer than what it replaces': [
    'never-larger',
    onLast((change) => withText(change, `${change.text} ${'and so on '.repeat(3_000)}`)),
  ],
  'other bytes at every request': [
    'same-bytes',
    onLast((change, call) => withText(change, `${change.text} ${call}`)),
  ],
  'other bytes for what was sent before': [
    'append-only',
    onLast((change, call) => withText(change, `${change.text} ${call}`)),
  ],
  'a small result that is shortened at first sight': [
    'first-sight',
    onLast((change) => ({
      ...change,
      decision: {
        ...change.decision,
        strategy: 'admission',
        rendition: { ...change.decision.rendition, how: 'truncated' },
      },
    })),
  ],
  'a pointer to what is hidden': [
    'pointers',
    onLast((change) => {
      const { handle } = change.decision
      const text = `[same output as in \`npm test\` above, result ${handle} · ${handle}]`
      const { decision } = withText(change, text)
      return { ...change, text, decision: { ...decision, rendition: { how: 'pointer', text } } }
    }),
  ],
}

/** Sends requests, each after the one before was checked, until this promise is seen to be broken. */
async function untilBroken(started: Setting, promise: string): Promise<void> {
  for (const body of storyBodies('anthropic', { turns: 14 }).slice(4)) {
    const before = verifiedBy(started).requests
    const reply = await started.post(paths.anthropic, body, { 'x-session-id': 's' })
    expect(reply.status).toBe(200)
    await oneMore(started, before)
    await sleep(60)
    if (Object.hasOwn(verifiedBy(started).breaches, promise)) break
  }
  expect(verifiedBy(started).breaches).toHaveProperty(promise)
}

function breakEngine(broken: Break): void {
  const { changes } = Projection.prototype
  let call = 0
  vi.spyOn(Projection.prototype, 'changes').mockImplementation(function (this: Projection) {
    return broken(changes.call(this), call++)
  })
}

describe('verify, with a fault in the engine,', () => {
  it.each(Object.entries(faults))('reports %s', async (_, [promise, broken]) => {
    const started = await verifying()
    breakEngine(broken)
    await untilBroken(started, promise)
    expect(started.faults.join('\n')).toContain(`promise broken: Error: ${promise}: `)
    const metrics = await (await fetch(`${started.gateway.url}/metrics`)).text()
    expect(metrics).toMatch(
      new RegExp(`palimpsest_promise_breaches_total\\{promise="${promise}"\\} [1-9]`),
    )
  })

  it('reports what the other checks of the gateway would have stopped', async () => {
    const settings = resolveSettings({})
    const bodies = storyBodies('anthropic', { turns: 14 })
    const original = bodyFormats.anthropic.read(bodies.at(-1) as string)
    const sampleWith = (sent: string, more: Partial<Sample> = {}): Sample => ({
      format: 'anthropic',
      model: 'claude-sonnet-4-5',
      original,
      sent,
      changes: [],
      session: { number: 1 } as Sample['session'],
      cwd: null,
      ledger: [],
      isStored: false,
      ...more,
    })
    const source = original.source as string
    const promisesOf = (sample: Sample): readonly string[] =>
      checkRequest(sample, settings).map(({ promise }) => promise)
    expect(promisesOf(sampleWith(source))).toEqual([])
    expect(promisesOf(sampleWith(source.replace('Rename', 'Remove')))).toContain('only-decided')
    expect(promisesOf(sampleWith(source.replace('"tool_use_id":"', '"tool_use_id":"x')))).toContain(
      'valid',
    )
    const entry = {
      kind: 'request',
      turn: 1,
      messages: 1,
      newest: 'a',
      at: 0,
      model: null,
    } as const
    const ledger = [{ ...entry, balances: [-source.length], caches: [] }]
    expect(promisesOf(sampleWith(source, { ledger }))).toEqual(['never-more-expensive'])
    const forced = {
      kind: 'epoch',
      turn: 1,
      reason: 'pressure',
      from: 0,
      removed: 0,
      rewritten: 0,
      free: 1,
    } as const
    expect(promisesOf(sampleWith(source, { ledger: [forced, ...ledger] }))).toEqual([])
  })

  it('is an error of palimpsest doctor', async () => {
    const user = createUser()
    const started = await verifying()
    breakEngine((faults['a rendition without its handle'] as readonly [string, Break])[1])
    await untilBroken(started, 'restorable')
    const port = String(started.gateway.port)
    await user.run(['init', 'claude', '--yes', '--no-service', '--port', port])
    const { code, out } = await user.run(['doctor', '--json'])
    const { findings } = JSON.parse(out) as { findings: readonly { level: string; text: string }[] }
    const text = expect.stringMatching(
      /sent requests that break a promise: .*restorable \(\d+ times?\)/,
    )
    expect(findings).toContainEqual(expect.objectContaining({ level: 'error', text }))
    expect(code).not.toBe(0)
    user.remove()
  }, 60_000)

  it('reports a record that differs from what came', async () => {
    const store = createMemoryStore()
    const load: Store['inSteps']['load'] = async (session) => {
      const work = await store.inSteps.load(session)
      return (function* () {
        const loaded = yield* work
        const messages = loaded.messages.map((each) => ({
          ...each,
          draft: {
            ...each.draft,
            items: each.draft.items.map((item) => ({ ...item, text: `${item.text}.` })),
          },
        }))
        return { ...loaded, messages }
      })()
    }
    const started = await verifying({ ...store, inSteps: { ...store.inSteps, load } })
    await untilBroken(started, 'record')
  })
})
