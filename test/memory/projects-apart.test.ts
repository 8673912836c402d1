import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConnectedClient, connectClient } from '../mcp/connected-client.ts'
import { runMemoryCommand } from './run-memory-command.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest projects '))
const [ours, theirs] = [path.join(folder, 'ours'), path.join(folder, 'theirs')]
let clock = Date.UTC(2026, 0, 1)

async function command(args: readonly string[], input = ''): Promise<string> {
  return (await runMemoryCommand({ folder, now: () => clock++ }, args, input)).out
}

const add = (project: string, ...words: readonly string[]): Promise<string> =>
  command(['add', ...words, '--scope', 'project', '--project', project])

async function observe(project: string, text: string): Promise<void> {
  const line = JSON.stringify({ id: String(clock), role: 'user', text })
  await command(['observe', '--project', project, '--session', `in ${project}`], line)
}

/** What a door shows of one project, as text, by the name of the command. */
interface Door {
  readonly list: string
  readonly search: string
  readonly context: string
  readonly patterns: string
  readonly review: string
  readonly jsonl: string
  readonly markdown: string
}

async function byCommand(project: string): Promise<Door> {
  const at = ['--project', project]
  return {
    list: await command(['list', '--all', ...at]),
    search: await command(['search', 'launch database editor', '--all', ...at]),
    context: await command(['context', '--query', 'when is the launch', ...at]),
    patterns: await command(['patterns', ...at]),
    review: await command(['review', ...at]),
    jsonl: await command(['export', ...at]),
    markdown: await command(['export', '--format', 'markdown', ...at]),
  }
}

async function byMcp(client: ConnectedClient): Promise<Door> {
  const text = async (name: string, input = {}): Promise<string> =>
    (await client.call(name, input)).text
  return {
    list: await text('memory_list', { all: true }),
    search: await text('memory_search', { query: 'launch database editor', all: true }),
    context: await text('memory_context', { query: 'when is the launch' }),
    patterns: await text('memory_patterns'),
    review: await text('memory_review'),
    jsonl: await text('memory_export', { format: 'jsonl' }),
    markdown: await text('memory_export', { format: 'markdown' }),
  }
}

beforeAll(async () => {
  await add(theirs, 'decision', 'Use Kafka as database')
  await add(ours, 'decision', 'Use SQLite as database')
  await command(['add', 'fact', 'the database runs in Utrecht', '--scope', 'user'])
  for (const [project, one, two] of [
    [theirs, 'Vim', 'Zed'],
    [ours, 'Emacs', 'Helix'],
  ] as const) {
    for (const editor of [one, two, one])
      await add(project, 'preference', 'tooling', 'editor', editor)
    await observe(project, `never commit to the ${one} branch`)
    await observe(project, `always commit to the ${one} branch`)
  }
  await observe(theirs, 'The launch of the rocket is on 12 May.')
  await observe(ours, 'The launch of the boat is on 3 June.')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const foreign = /Kafka|Vim|Zed|rocket/

function expectOneProject(door: Door): void {
  for (const [name, text] of Object.entries(door))
    expect([name, text]).not.toEqual([name, expect.stringMatching(foreign)])
  expect(door).toEqual({
    list: expect.stringMatching(/SQLite[\s\S]*Utrecht/),
    search: expect.stringMatching(/(?=[\s\S]*boat)(?=[\s\S]*Utrecht)/),
    context: expect.stringMatching(/Utrecht[\s\S]*boat/),
    patterns: expect.stringMatching(/Helix/),
    review: expect.stringMatching(/never commit to the Emacs branch/),
    jsonl: expect.stringMatching(/SQLite[\s\S]*Utrecht/),
    markdown: expect.stringMatching(/SQLite/),
  })
}

describe('a project', () => {
  it('is shown alone, with what holds everywhere, by the command line', async () => {
    expectOneProject(await byCommand(ours))
    expectOneProject(await byCommand(`${ours}/`))
    expectOneProject(await byCommand('./ours'))
  })

  it('is shown alone, with what holds everywhere, by MCP', async () => {
    const client = await connectClient({ home: folder, args: ['--project', ours] })
    try {
      expectOneProject(await byMcp(client))
    } finally {
      await client.close()
    }
  })

  it('is the folder where the command runs when none is named', async () => {
    expect(await command(['list'])).toMatch(/^[^\n]*Utrecht[^\n]*\n$/)
    expect(await command(['search', 'launch'])).toBe('nothing found\n')
  })

  it('is one of all in a whole export, which is for another store', async () => {
    expect(await command(['export'])).toMatch(/Kafka[\s\S]*SQLite/)
  })
})
