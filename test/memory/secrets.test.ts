import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Memory, observe, openSqliteLog } from '../../src/memory/index.ts'
import { memoryMiddleware } from '../../src/sdk/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { hostedPlugin } from '../agent/hosted.ts'
import { startSetting } from '../gateway/setting.ts'
import { paths } from '../gateway/story.ts'
import { connectClient } from '../mcp/connected-client.ts'
import { runMemoryCommand } from './run-memory-command.ts'

/** Joined here, so that no scanner takes this file for a leak. */
const key = ['sk', '-ant-api03-', 'aB3dE5gH7jK9mN1pQ3sT5vW7'].join('')
const password = 'Tr0ub4dor&3'
const said = `We use pnpm here. The upload key is ${key} and the database password is ${password}.`

let folder: string
let names = 0
const database = (): string => path.join(folder, 'palimpsest.db')

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest secrets '))
})

afterEach(() => rmSync(folder, { recursive: true }))

function open(): Memory {
  return new Memory({
    log: openSqliteLog(database()),
    now: Date.now,
    newId: (kind) => `${kind}_${(++names).toString(16).padStart(8, '0')}`,
  })
}

const command = (args: readonly string[], input = '') =>
  runMemoryCommand({ folder, now: Date.now }, [...args, '--store', database()], input)

/** Every byte of the memory's files. */
const bytes = (): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith('palimpsest.db'))
    .map((name) => readFileSync(path.join(folder, name), 'latin1'))
    .join('')

/** The message was heard, and nothing of the secrets was written. */
function expectSafe(): void {
  expect(bytes()).toContain('pnpm')
  for (const secret of [key, password, key.slice(-12), 'Tr0ub4dor'])
    expect(bytes()).not.toContain(secret)
}

async function withOpen(work: (memory: Memory) => Promise<void>): Promise<void> {
  const memory = open()
  try {
    await work(memory)
  } finally {
    memory.close()
  }
}

describe('a message with a key and a password stores neither', () => {
  it('through the gateway', async () => {
    await withOpen(async (memory) => {
      const setting = await startSetting({
        store: createMemoryStore(),
        memory: { use: async (work) => work(memory) },
        learn: true,
      })
      const body = {
        model: 'claude-sonnet-4-5',
        max_tokens: 100,
        tools: [{ name: 'Look', input_schema: { type: 'object' } }],
        messages: [{ role: 'user', content: said }],
      }
      await setting.post(paths.anthropic, JSON.stringify(body), { 'x-api-key': 'k' })
      await expect.poll(() => memory.state.heard.size).toBe(1)
      await setting.stop()
    })
    expectSafe()
  })

  it('through the OpenCode plugin', async () => {
    const plugin = await hostedPlugin({ given: { store: database() } })
    const session = plugin.conversation('s1')
    session.say(said)
    await session.request()
    await plugin.hooks.dispose()
    await withOpen(async (memory) => {
      expect([...memory.state.heard.values()].map(({ text }) => text)).toEqual([
        'We use pnpm here. The upload key is [secret] and the database password is [secret].',
      ])
    })
  })

  it('through the AI SDK middleware', async () => {
    await withOpen(async (memory) => {
      const store = path.join(folder, 'other.db')
      const middleware = memoryMiddleware({ session: 's', cwd: folder, memory, store, learn: true })
      const prompt = [{ role: 'user', content: [{ type: 'text', text: said }] }]
      await middleware.transformParams({ params: { prompt } })
      await middleware.close()
    })
    expectSafe()
  })

  it('through the MCP tool', async () => {
    const client = await connectClient({ home: folder })
    await client.call('memory_observe', { text: said })
    const { text } = await client.call('memory_add', { kind: 'fact', text: `pnpm token: ${key}` })
    await client.close()
    expect(text).toContain('looks like a secret')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.db/.test(name))
      .map((name) => readFileSync(path.join(folder, name), 'latin1'))
      .join('')
    expect(files).toContain('pnpm')
    for (const secret of [key, password]) expect(files).not.toContain(secret)
  })

  it('through the hook of Claude Code', async () => {
    const { out } = await command(
      ['hook'],
      JSON.stringify({ session_id: 's', cwd: folder, prompt: said }),
    )
    expect(out).toContain('pnpm')
    expect(out).not.toContain(key)
    expectSafe()
  })

  it('through `memory observe`', async () => {
    const { out } = await command(
      ['observe', '--json'],
      JSON.stringify({ id: '1', role: 'user', text: said }),
    )
    expect(out).toContain('pnpm')
    expect(out).not.toContain(key)
    expectSafe()
  })

  it('through `memory learn`, from an instruction file', async () => {
    const project = path.join(folder, 'project')
    await command(['add', 'fact', 'the shop uses pnpm'])
    mkdirSync(project)
    writeFileSync(
      path.join(project, 'CLAUDE.md'),
      `# Rules\n\n- Always use ${key} for uploads\n- The database password is ${password}\n- Always run the linter before a commit\n`,
    )
    const { out } = await command(['learn', project, '--yes'])
    expect(out).toContain('linter')
    expect(out).not.toContain(key)
    expectSafe()
  })

  it('through an import', async () => {
    const line = JSON.stringify({
      id: 'fact_0000aaaa',
      kind: 'fact',
      text: `pnpm registry token: ${key}`,
      value: key,
      source: { origin: 'user', quote: said },
      status: 'current',
    })
    writeFileSync(path.join(folder, 'old.jsonl'), `${line}\n`)
    expect((await command(['import', path.join(folder, 'old.jsonl')])).code).toBe(0)
    expectSafe()
  })

  it('in a program', async () => {
    await withOpen(async (memory) => {
      observe(memory, { id: '1', role: 'user', text: said }, { session: 's', project: folder })
      memory.add({ kind: 'fact', text: `the pnpm token is ${key}`, rationale: password })
    })
    expect(bytes()).not.toContain(key)
  })
})

describe('a secret that somebody wants to remember', () => {
  it('is refused with a word about what to store instead', async () => {
    const run = command(['add', 'fact', `the upload key is ${key}`])
    await expect(run).rejects.toThrow(/looks like a secret \(API key\).*where it is kept/)
    await expect(command(['add', 'preference', 'access', 'password', password])).rejects.toThrow(
      /looks like a secret/,
    )
  })

  it('changes nothing that is stored about it', async () => {
    await command(['add', 'fact', 'the api key lives in .env.local'])
    const line = { id: '1', role: 'user', text: `the api key is ${key} now` }
    const { out } = await command(['observe', '--json'], JSON.stringify(line))
    expect(JSON.parse(out)).toMatchObject({ changes: [] })
  })
})
