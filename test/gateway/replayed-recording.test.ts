import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restoreDescription } from '../../src/agent/tool-definitions.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { openStore, type Store, storeLocation } from '../../src/store/index.ts'
import { captureRun } from '../captured-run.ts'
import { bodyOf } from '../property/wire.ts'
import { type Setting, startSetting } from './setting.ts'
import { storyMessages } from './story.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest replayed '))
const database = path.join(folder, 'live store.db')
const id = '6f3c2a10-0000-4000-8000-000000000001'
const model = 'claude-sonnet-4-5'
const prefixTokens = 3_000

let setting: Setting
let store: Store
/** What was said in the session, with what each answer said of its request. */
let inputs: number[]

beforeAll(async () => {
  store = await openStore(storeLocation({ chosen: database, home: undefined, cwd: folder }))
  setting = await startSetting({ store })
  // A provider counts what it is sent.
  setting.upstream.answerWith((response, { body }) => {
    const usage = { input_tokens: prefixTokens + Math.round(body.length / 4), output_tokens: 5 }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'msg_1', type: 'message', usage }))
  })
  inputs = []
  for (const messages of story) {
    // The client has a way back, as a replay assumes.
    const tools = [{ name: 'context_restore', description: restoreDescription }]
    const told = JSON.parse(String(bodyOf('anthropic', messages))) as object
    const body = JSON.stringify({ ...told, tools })
    const { body: answer } = await setting.post('/v1/messages', body, {
      'x-claude-code-session-id': id,
    })
    inputs.push(JSON.parse(answer).usage.input_tokens)
  }
  await setting.stop()
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const story = storyMessages({ turns: 60 })

/** The session as Claude Code writes it down: its own results, whole, and the usage of each answer. */
function recordingOf(
  messages: readonly MessageDraft[],
  { usage, session = id }: { readonly usage: readonly number[] | null; readonly session?: string },
): string {
  let answers = 0
  const rows = [
    ...messages,
    { role: 'assistant', items: [{ kind: 'text', text: 'Done.' }] } as const,
  ]
  const lines = rows.map(({ role, items }) => {
    const content = items.map((item) => {
      if (item.kind === 'call')
        return { type: 'tool_use', id: item.call, name: item.tool, input: JSON.parse(item.text) }
      if (item.kind === 'result')
        return { type: 'tool_result', tool_use_id: item.call, content: item.text }
      return { type: 'text', text: item.text }
    })
    if (role !== 'assistant') return { type: 'user', message: { role: 'user', content } }
    const input_tokens = usage?.[answers]
    const counted = input_tokens === undefined ? {} : { usage: { input_tokens, output_tokens: 5 } }
    return { type: 'assistant', message: { id: `m${answers++}`, role, model, content, ...counted } }
  })
  const stamp = (at: number): string => new Date(Date.UTC(2026, 0, 5, 10, 0, at)).toISOString()
  return lines
    .map((line, at) => `${JSON.stringify({ ...line, sessionId: session, timestamp: stamp(at) })}\n`)
    .join('')
}

let files = 0
function written(recording: string): string {
  const file = path.join(folder, `recording ${files++}.jsonl`)
  writeFileSync(file, recording)
  return file
}

const last = (): readonly MessageDraft[] => story.at(-1) ?? []
const run = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await captureRun(args, { cwd: folder })
  expect([code, err]).toEqual([0, ''])
  return out
}

interface Replayed {
  readonly tokens: { readonly with: number; readonly without: number }
  readonly dollars: { readonly with: number; readonly without: number }
  readonly alreadyPruned?: readonly object[]
}
const replayed = async (file: string, ...more: string[]): Promise<Replayed> =>
  JSON.parse(await run('replay', file, '--json', ...more))

describe('the recording of a session that ran behind the gateway', () => {
  it('saves nothing a second time: the store has the session', async () => {
    const file = written(recordingOf(last(), { usage: null }))
    const { tokens, dollars, alreadyPruned } = await replayed(file, '--store', database)
    expect(tokens.with).toBe(tokens.without)
    expect(dollars.with).toBe(dollars.without)
    const [{ stored }] = alreadyPruned as [
      { stored: { tokens: { before: number; after: number } } },
    ]
    // The first request has no result yet, and is no turn of the session.
    expect(stored).toMatchObject({ origin: 'gateway', requests: story.length })
    expect(stored.tokens.after).toBeLessThan(0.8 * stored.tokens.before)
    // What the requests of the gateway came to is what the replay takes for the session as it ran.
    expect(tokens.without / stored.tokens.after).toBeGreaterThan(0.9)
    expect(tokens.without / stored.tokens.after).toBeLessThan(1.1)
    const out = await run('replay', file, '--store', database)
    expect(out).toContain('this session was already pruned while it ran: the gateway has it')
    expect(out).toContain('not counted again')
  })

  it('saves nothing a second time: usage shows that less was sent than is recorded', async () => {
    const file = written(recordingOf(last(), { usage: inputs }))
    const { tokens, alreadyPruned } = await replayed(file)
    expect(tokens.with).toBe(tokens.without)
    expect(alreadyPruned).toEqual([
      {
        items: 0,
        usage: { counted: expect.any(Number), recorded: expect.any(Number) },
        stored: null,
      },
    ])
  })

  it('shows what another preset would save beyond what was saved', async () => {
    const file = written(recordingOf(last(), { usage: inputs }))
    const usual = await replayed(file)
    const off = await replayed(file, '--preset', 'off')
    expect(off.tokens.without).toBe(usual.tokens.without)
    expect(off.tokens.with).toBeGreaterThan(1.2 * off.tokens.without)
  })

  it('has nothing left to save in the statistics, and says why', async () => {
    const file = written(recordingOf(last(), { usage: inputs }))
    const value = JSON.parse(await run('stats', file, '--json'))
    expect(value).toMatchObject({ statusLine: null, alreadyPruned: [{ stored: null }] })
    expect(await run('stats', file)).toContain('already pruned while it ran')
  })

  it('is said to be one by inspect, for a file and for a folder', async () => {
    const file = written(recordingOf(last(), { usage: inputs }))
    expect(JSON.parse(await run('inspect', file, '--json')).alreadyPruned).toHaveLength(1)
    expect(await run('inspect', file)).toContain('already pruned while it ran')
    const inFolder = await captureRun(['inspect', folder], { cwd: folder })
    expect(inFolder.out).toContain('less was sent: ')
  })
})

describe('the recording of a session that ran alone', () => {
  it('is counted as ever, whether usage is recorded or not, with a store or without', async () => {
    const whole = story.map((messages) => prefixTokens + bodyOf('anthropic', messages).length / 4)
    for (const usage of [null, whole.map(Math.round), whole.map(() => 12)]) {
      const file = written(recordingOf(last(), { usage, session: 'another-session' }))
      for (const more of [[], ['--store', database]]) {
        const { tokens, alreadyPruned } = await replayed(file, ...more)
        expect(tokens.with).toBeLessThan(0.8 * tokens.without)
        expect(alreadyPruned).toBeUndefined()
      }
    }
  })
})

describe('a recording that holds what we showed', () => {
  it('counts it on both sides as it is, and says how much of it there is', async () => {
    // A client that records the requests as the provider got them.
    const sent = JSON.parse(String(setting.upstream.received.at(-1)?.body)) as {
      messages: { role: string; content: Record<string, unknown>[] | string }[]
    }
    const rows = sent.messages.map(({ role, content }, at) => {
      const message = { role, content, ...(role === 'assistant' ? { id: `m${at}`, model } : {}) }
      return `${JSON.stringify({ type: role, message, sessionId: 'as-sent' })}\n`
    })
    const end = { id: 'end', role: 'assistant', model, content: [{ type: 'text', text: 'Done.' }] }
    const file = written(
      `${rows.join('')}${JSON.stringify({ type: 'assistant', message: end, sessionId: 'as-sent' })}\n`,
    )
    const { tokens, alreadyPruned } = await replayed(file)
    const [{ items }] = alreadyPruned as [{ items: number }]
    expect(items).toBeGreaterThan(10)
    expect(tokens.with).toBeGreaterThan(0.8 * tokens.without)
    expect(await run('replay', file)).toContain('count as recorded on both sides')
  })
})
