import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { Memory, openSqliteLog } from '../../src/memory/index.ts'
import { memoryMiddleware } from '../../src/sdk/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { hostedPlugin } from '../agent/hosted.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { paths } from '../gateway/story.ts'
import { runMemoryCommand } from './run-memory-command.ts'

let folder: string
let memory: Memory
let names = 0
let setting: Setting | null = null

function open(): Memory {
  return new Memory({
    log: openSqliteLog(path.join(folder, 'palimpsest.db')),
    now: Date.now,
    newId: (kind) => `${kind}_${(++names).toString(16).padStart(8, '0')}`,
  })
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-heard-'))
  memory = open()
})

afterEach(async () => {
  await setting?.stop()
  setting = null
  memory.close()
  rmSync(folder, { recursive: true })
})

/** Every value of the package manager that was ever recorded, in order. */
const managers = (): readonly (string | undefined)[] =>
  [...memory.state.items.values()]
    .filter(({ item }) => item.attribute === 'package_manager')
    .map(({ item }) => item.value)

const heard = (): number =>
  [...memory.state.heard.values()].filter(({ role }) => role === 'user').length

interface Said {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

const bodies: Readonly<Record<BodyFormatName, (said: readonly Said[]) => object>> = {
  anthropic: (said) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    tools: [{ name: 'Look', input_schema: { type: 'object' } }],
    messages: said.map(({ role, text }) => ({ role, content: text })),
  }),
  'openai-chat': (said) => ({
    model: 'gpt-5.1',
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    messages: said.map(({ role, text }) => ({ role, content: text })),
  }),
  'openai-responses': (said) => ({
    model: 'gpt-5.1',
    tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
    input: said.map(({ role, text }) => ({
      type: 'message',
      role,
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
    })),
  }),
  gemini: (said) => ({
    tools: [{ functionDeclarations: [{ name: 'look' }] }],
    contents: said.map(({ role, text }) => ({
      role: role === 'user' ? 'user' : 'model',
      parts: [{ text }],
    })),
  }),
}

const user = (text: string): Said => ({ role: 'user', text })
const answer = (text: string): Said => ({ role: 'assistant', text })

async function started(learn = true): Promise<readonly string[]> {
  const lines: string[] = []
  setting = await startSetting({
    store: createMemoryStore(),
    memory: { use: async (work) => work(memory) },
    learn,
    onRemembered: (line) => lines.push(line),
  })
  return lines
}

async function send(
  said: readonly Said[],
  { session = 's', format = 'anthropic' as BodyFormatName, change = {} } = {},
): Promise<void> {
  const body = JSON.stringify({ ...bodies[format](said), ...change })
  await setting!.post(paths[format], body, { 'x-session-id': session, 'x-api-key': 'k' })
  // What was heard is read behind the request.
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(setting!.faults).toEqual([])
}

describe('the gateway', () => {
  it.each(Object.keys(bodies) as BodyFormatName[])(
    'hears what the user says in %s',
    async (format) => {
      const lines = await started()
      await send([user('We use npm here.')], { format })
      await send([user('We use npm here.'), answer('Noted.'), user('not npm, use pnpm')], {
        format,
      })
      expect(managers()).toEqual(['npm', 'pnpm'])
      expect(lines).toEqual([
        expect.stringMatching(/^remembered: package manager npm · undo [0-9a-f]{8}$/),
        expect.stringMatching(/^remembered: package manager pnpm \(was npm\) · undo [0-9a-f]{8}$/),
      ])
    },
  )

  it('hears a turn once: in retries, after a restart, in a fork and in a resumed session', async () => {
    const lines = await started()
    const story = [user('We use npm here.'), answer('Noted.'), user('We switched to pnpm.')]
    await send(story.slice(0, 1))
    await send(story)
    await send(story)
    await setting!.restart()
    await send(story)
    await send(story, { session: 'fork' })
    await send([...story, answer('Fine.'), user('Go on.')], { session: 'fork' })
    expect(managers()).toEqual(['npm', 'pnpm'])
    expect(lines).toHaveLength(2)
    expect(heard()).toBe(3)
  })

  it('hears what is said again after it was changed', async () => {
    await started()
    const story = [user('We use npm.'), answer('One.'), user('We use pnpm now.'), answer('Two.')]
    await send(story.slice(0, 1))
    await send(story.slice(0, 3))
    await send([...story, user('We use npm now.')])
    expect(managers()).toEqual(['npm', 'pnpm', 'npm'])
  })

  it('hears no side request, no sub-agent, no reminder of the client, and nothing when it may not', async () => {
    await started()
    await send([user('We use npm.')], { change: { tools: [] } })
    const [Bash, Read, Edit] = ['Bash', 'Read', 'Edit'].map((name) => ({
      name,
      input_schema: { type: 'object' },
    }))
    await send([user('We use yarn.')], { change: { tools: [Bash, Read, Edit] } })
    await send([user('<system-reminder>We use bun.</system-reminder>')], { session: 't' })
    await setting!.stop()
    await started(false)
    await send([user('We use pnpm.')], { session: 'u' })
    expect(managers()).toEqual([])
    expect(heard()).toBe(0)
  })

  it('sends the same bytes whether it hears or not', async () => {
    await started()
    await send([user('We use npm here.')])
    const sent = JSON.stringify(bodies.anthropic([user('We use npm here.')]))
    expect(String(setting!.upstream.received.at(-1)?.body)).toBe(sent)
  })
})

describe('the OpenCode plugin', () => {
  const store = (): string => path.join(folder, 'palimpsest.db')

  it('hears what the user says, once, also after it was loaded again', async () => {
    for (let run = 0; run < 2; run++) {
      const plugin = await hostedPlugin({ given: { store: store() } })
      const session = plugin.conversation('s1')
      session.say('We use npm here.')
      await session.request()
      session.answered('Noted.')
      session.say('not npm, use pnpm')
      await session.request()
      await plugin.hooks.dispose()
    }
    expect(managers()).toEqual(['npm', 'pnpm'])
    expect(heard()).toBe(2)
  })

  it('hears nothing when memory.learn is off', async () => {
    const plugin = await hostedPlugin({ given: { store: store(), memory: { learn: false } } })
    const session = plugin.conversation('s1')
    session.say('We use npm here.')
    await session.request()
    await plugin.hooks.dispose()
    expect(managers()).toEqual([])
  })
})

describe('the AI SDK middleware', () => {
  it('hears what the user says and leaves the call unchanged', async () => {
    const lines: string[] = []
    const middleware = memoryMiddleware({
      session: 's',
      cwd: folder,
      memory,
      store: path.join(folder, 'other.db'),
      learn: true,
      onRemembered: (line) => lines.push(line),
    })
    const params = {
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'We use npm here.' }] },
      ],
    }
    expect(await middleware.transformParams({ params })).toBe(params)
    await middleware.transformParams({ params })
    await middleware.close()
    expect(managers()).toEqual(['npm'])
    expect(lines).toHaveLength(1)
  })
})

describe('the hook of Claude Code', () => {
  const hook = (prompt: string, more: object = {}) =>
    runMemoryCommand(
      { folder, now: Date.now },
      ['hook', '--store', path.join(folder, 'palimpsest.db')],
      JSON.stringify({
        hook_event_name: 'UserPromptSubmit',
        session_id: 's',
        cwd: folder,
        prompt,
        ...more,
      }),
    )

  it('remembers a prompt and shows it to the user only', async () => {
    const { code, out } = await hook('We use pnpm here.')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      systemMessage: expect.stringContaining('remembered: package manager pnpm'),
    })
    expect(managers()).toEqual(['pnpm'])
    expect((await hook('Fix the test.')).out).toBe('')
  })

  it('never fails, whatever it gets', async () => {
    const run = runMemoryCommand({ folder, now: Date.now }, ['hook'], 'not JSON')
    expect(await run).toMatchObject({ code: 0, out: '' })
  })
})

describe('what was heard', () => {
  it('is in the log, and undo takes it back by a short id', async () => {
    const command = (...args: readonly string[]) =>
      runMemoryCommand({ folder, now: Date.now }, [
        ...args,
        '--store',
        path.join(folder, 'palimpsest.db'),
      ])
    await started()
    await send([user('We use npm here.')])
    await send([user('We use npm here.'), answer('Noted.'), user('not npm, use pnpm')])
    const project = ['--project', 'unknown']
    const { out } = await command('log', ...project)
    const [, id] = /remembered: package manager pnpm \(was npm\) · undo (\w+)/.exec(out) ?? []
    expect(out).toContain('not npm, use pnpm')
    await command('undo', id!, ...project)
    const { out: list } = await command('list', ...project)
    expect(list).toContain('npm')
    expect(list).not.toContain('pnpm')
  })
})
