import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { Memory, openSqliteLog } from '../../src/memory/index.ts'
import { openStore } from '../../src/store/index.ts'
import { captureRun } from '../captured-run.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { paths, storyMessages } from '../gateway/story.ts'
import { type ConnectedClient, connectClient } from '../mcp/connected-client.ts'
import { bodyOf } from '../property/wire.ts'
import {
  type HostileText,
  inCalls,
  inFiles,
  inOutputs,
  inQuotes,
  inRecordings,
} from './hostile-texts.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest injections '))
const home = path.join(folder, 'home')
const project = path.join(folder, 'project')
const elsewhere = path.join(folder, 'elsewhere')
const location = { kind: 'sqlite', path: path.join(home, 'palimpsest.db') } as const
const hidden = { handle: 'c0ffee', text: 'the launch is in a place called platypus bay' }

let memory: Memory
let setting: Setting
let names = 0
let foreignId = ''

beforeAll(async () => {
  for (const each of [home, project, elsewhere]) mkdirSync(each)
  memory = new Memory({
    log: openSqliteLog(location.path),
    now: Date.now,
    newId: (kind) => `${kind}_${(++names).toString(16).padStart(8, '0')}`,
  })
  const editor = { kind: 'preference', category: 'tooling', attribute: 'editor' } as const
  memory.add({ ...editor, text: 'editor: Helix', value: 'Helix' })
  const scope = `project:${elsewhere}` as const
  foreignId = memory.add({ kind: 'fact', text: 'The mascot is a platypus.', scope }).id
  const store = await openStore(location)
  const session = await store.openSession({ id: 'elsewhere', origin: 'test', folder: elsewhere })
  const draft = { role: 'user', items: [{ kind: 'text', text: hidden.text }] } as const
  await store.append(session, {
    expected: { messages: 0, ledger: 0, entries: 0 },
    messages: [{ previous: null, draft, handles: [hidden.handle] }],
  })
  setting = await startSetting({
    store,
    config: { memory: { inject: true } },
    learn: true,
    memory: { use: async (work) => work(memory) },
  })
}, 60_000)

afterAll(async () => {
  await setting?.stop()
  await setting?.store.close()
  memory?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** All that is remembered, and every file of the user and the project but the store. */
function state(): string {
  const files = [home, project, elsewhere].flatMap((each) =>
    readdirSync(each)
      .filter((name) => !name.startsWith('palimpsest.db') && name !== 'audit.jsonl')
      .map((name) => [name, readFileSync(path.join(each, name), 'utf8')]),
  )
  return JSON.stringify([[...memory.state.items.values()], files])
}

const title = ({ aim, text }: HostileText): readonly [string, string] => [
  aim,
  JSON.stringify(text).slice(0, 60),
]

/** A text of the same shape that says nothing. */
function harmless(text: string): string {
  return text.replace(/\S/gu, 'x')
}

type Channel = 'output' | 'file'

/** The text as the channel shows it: a file has numbers before its lines. */
function shownIn(channel: Channel, text: string): string {
  const numbered = text.split('\n').map((line, at) => `${at + 1}\t${line}`)
  return channel === 'file' ? numbered.join('\n') : text
}

/** The story, with a look at the text after its third step. */
function storyWith(text: string, channel: Channel): readonly string[] {
  const [tool, input] =
    channel === 'output'
      ? (['Bash', { command: './show-notes' }] as const)
      : (['Read', { file_path: '/project/notes.md' }] as const)
  const call = 'toolu_notes'
  const result = { kind: 'result', tool, call, status: 'ok', text: shownIn(channel, text) } as const
  const look: readonly MessageDraft[] = [
    { role: 'assistant', items: [{ kind: 'call', tool, call, text: JSON.stringify(input) }] },
    { role: 'tool', items: [result] },
  ]
  return storyMessages({ turns: 6 }).map((said) => {
    const all = said.length < 7 ? said : [...said.slice(0, 7), ...look, ...said.slice(7)]
    const { tools = [], ...body } = JSON.parse(bodyOf('anthropic', all)) as { tools?: object[] }
    return JSON.stringify({ ...body, tools: [...tools, { name: 'Read', input_schema: {} }] })
  })
}

let sessions = 0

/** What reached the provider, request by request. */
async function sent(bodies: readonly string[]): Promise<readonly string[]> {
  const headers = { 'x-session-id': `session-${++sessions}`, 'x-api-key': 'k' }
  const found: string[] = []
  for (const body of bodies) {
    const { status } = await setting.post(paths.anthropic, body, headers)
    expect(status).toBe(200)
    found.push(String(setting.upstream.received.at(-1)?.body))
  }
  return found
}

/** Where two texts differ; null when they are the same. */
function difference(one = '', other = ''): string | null {
  if (one === other) return null
  let at = 0
  while (one[at] === other[at]) at++
  return `${one.slice(at - 40, at + 80)} ≠ ${other.slice(at - 40, at + 80)}`
}

const channels = [
  ...inOutputs.map((each) => ({ ...each, channel: 'output' as const })),
  ...inFiles.map((each) => ({ ...each, channel: 'file' as const })),
]

describe('a hostile text in a tool result', () => {
  it.each(channels.map((each) => [...title(each), each] as const))(
    'cannot %s: %s',
    async (_aim, _title, { text, channel }) => {
      const before = state()
      const hostile = await sent(storyWith(text, channel))
      const plain = await sent(storyWith(harmless(text), channel))
      // The story is pruned, so that an effect in either direction would show.
      expect(plain.at(-1)?.length).toBeLessThan(storyWith(text, channel).at(-1)?.length ?? 0)
      const [told = '', silent = ''] = [text, harmless(text)].map((each) =>
        JSON.stringify(shownIn(channel, each)),
      )
      expect(hostile.at(-1)).toContain(told)
      for (const [at, body] of hostile.entries())
        expect(difference(body.replaceAll(told, silent), plain[at])).toBe(null)
      expect(state()).toBe(before)
    },
  )
})

describe('the words of others in a message of the user', () => {
  const heard = (): number => memory.state.heard.size

  async function say(text: string): Promise<void> {
    const before = heard()
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 10,
      tools: [{ name: 'Read', input_schema: { type: 'object' } }],
      messages: [{ role: 'user', content: `${text}\n\nThanks, number ${++sessions}.` }],
    }
    await sent([JSON.stringify(body)])
    await vi.waitFor(() => expect(heard()).toBe(before + 1), 5_000)
  }

  it.each(inQuotes.map((each) => [...title(each), each] as const))(
    'cannot %s: %s',
    async (_aim, _title, { text }) => {
      const before = state()
      await say(text)
      expect(state()).toBe(before)
    },
  )

  it('are told from what the user says', async () => {
    const before = state()
    await say('I prefer fish as my shell.')
    expect(state()).not.toBe(before)
  })
})

describe('a hostile text in a recording', () => {
  it.each(inRecordings.map((each) => [...title(each), each] as const))(
    'cannot %s: %s',
    async (_aim, _title, { text }) => {
      const file = path.join(elsewhere, 'recording.jsonl')
      const message = (type: string, content: unknown, uuid: string): string =>
        JSON.stringify({
          type,
          uuid,
          parentUuid: null,
          sessionId: 'recorded',
          cwd: project,
          timestamp: '2026-01-01T00:00:00Z',
          message: { role: type, content },
        })
      const use = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: './show-notes' } }
      const lines = [
        message('user', 'Look at the notes.', 'a'),
        message('assistant', [use], 'b'),
        message('user', [{ type: 'tool_result', tool_use_id: 't1', content: text }], 'c'),
      ]
      writeFileSync(file, `${lines.join('\n')}\n`)
      const before = state()
      for (const args of [
        ['memory', 'learn', file, '--yes'],
        ['inspect', file],
        ['replay', file],
      ]) {
        const run = await captureRun(args, { cwd: project, home })
        expect([args[0], run.code]).toEqual([args[0], 0])
        expect(run.out + run.err).not.toMatch(/(?!\n)\p{Cc}/u)
      }
      expect(state()).toBe(before)
    },
  )
})

describe('a hostile argument of an MCP tool', () => {
  let client: ConnectedClient
  beforeAll(async () => {
    client = await connectClient({ home, cwd: project })
  }, 60_000)
  afterAll(() => client?.close())

  it.each(inCalls.map((each) => [each.aim, each.tool, each] as const))(
    'cannot %s: %s',
    async (_aim, _tool, { tool, input, adds }) => {
      const given = JSON.parse(
        JSON.stringify(input).replaceAll('SECRET', foreignId).replaceAll('HANDLE', hidden.handle),
      ) as Readonly<Record<string, unknown>>
      const known = new Set(memory.state.items.keys())
      const before = state()
      const { text } = await client.call(tool, given)
      expect(text).not.toMatch(/platypus bay|mascot/)
      if (adds !== true) return expect(state()).toBe(before)
      const [old] = JSON.parse(before) as [{ item: { id: string } }[]]
      const now = [...memory.state.items.values()].filter(({ item }) => known.has(item.id))
      expect(JSON.stringify(now)).toBe(JSON.stringify(old))
    },
  )
})

it('are fifty texts or more', () => {
  expect(channels.length + inQuotes.length + inRecordings.length + inCalls.length).toBeGreaterThan(
    49,
  )
})
