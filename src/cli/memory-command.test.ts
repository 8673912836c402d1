import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MemoryCommandRun, runMemoryCommand } from '../../test/memory/run-memory-command.ts'
import { openStore } from '../store/open-store.ts'

let folder: string
let clock: number

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-memory-cli-'))
  clock = Date.UTC(2026, 0, 1)
})

afterEach(() => rmSync(folder, { recursive: true }))

const memory = (args: readonly string[], input = ''): Promise<MemoryCommandRun> =>
  runMemoryCommand({ folder, now: () => clock++ }, args, input)

const json = async (args: readonly string[], input = ''): Promise<unknown> =>
  JSON.parse((await memory([...args, '--json'], input)).out)

const lines = (...messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('')

describe('palimpsest memory', () => {
  it('adds, lists and walks what replaced what', async () => {
    const first = (await json(['add', 'preference', 'style', 'indentation', 'tabs'])) as {
      id: string
    }
    const second = (await json(['add', 'preference', 'style', 'indentation', '2 spaces'])) as {
      id: string
    }
    expect(await json(['list'])).toMatchObject([
      {
        id: second.id,
        kind: 'preference',
        key: 'indentation',
        value: '2 spaces',
        current: true,
        supersedes: first.id,
      },
    ])
    expect(await json(['list', '--all'])).toMatchObject([
      { id: first.id, current: false, supersededBy: second.id },
      { id: second.id, current: true },
    ])
    const history = (await json(['history', first.id])) as readonly { id: string }[]
    expect(history.map(({ id }) => id)).toEqual([first.id, second.id])
    await memory(['undo', second.id])
    expect(await json(['list'])).toMatchObject([{ id: first.id, value: 'tabs' }])
  })

  it('observes messages, one line of JSON for each', async () => {
    const { out } = await memory(
      ['observe', '--json'],
      lines(
        { id: 'a', role: 'user', text: 'We use npm here.' },
        { id: 'b', role: 'user', text: 'not npm, use pnpm', at: '2026-02-01T00:00:00Z' },
        { id: 'c', role: 'user', text: 'Which port, no wait, which host is it?' },
      ),
    )
    const observed = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(observed).toMatchObject([
      {
        id: 'a',
        corrections: [],
        changes: [{ op: 'add', kind: 'preference', key: 'package_manager', value: 'npm' }],
      },
      {
        id: 'b',
        corrections: [{ old: 'npm', new: 'pnpm' }],
        changes: [{ op: 'supersede', value: 'pnpm' }],
      },
      { id: 'c', corrections: [{ text: 'Which host is it?' }], changes: [] },
    ])
    expect(observed[1].changes[0].supersedes).toBe(observed[0].changes[0].id)
    expect((await memory(['context'])).out).toBe('Preferences:\n- package manager: pnpm\n')
    expect(await json(['search', 'package', 'manager'])).toMatchObject([
      { value: 'pnpm', current: true },
    ])
  })

  it('names the line that is no message', async () => {
    await expect(memory(['observe', '--json'], 'hello\n')).rejects.toThrow('line 1')
  })

  it('answers as of either clock', async () => {
    await memory(['add', 'preference', 'tooling', 'editor', 'Vim', '--since', '2020-01-01'])
    await memory(['add', 'preference', 'tooling', 'editor', 'Zed', '--since', '2025-01-01'])
    expect(await json(['list', '--as-of', '2022-06-01'])).toMatchObject([{ value: 'Vim' }])
    expect(await json(['list', '--as-of', '2025-06-01'])).toMatchObject([{ value: 'Zed' }])
    expect(await json(['list', '--recorded', '2024-01-01'])).toEqual([])
  })

  it('forgets, checks, and says no with exit code 1', async () => {
    const { id } = (await json(['add', 'fact', 'the garage code is 4711'])) as { id: string }
    expect(await json(['forget', '--search', 'garage', '--yes'])).toEqual({
      forgotten: [id],
      messages: 0,
      sessions: [],
      files: [],
      left: [],
    })
    expect(await json(['list', '--all'])).toEqual([])
    await expect(memory(['get', id])).rejects.toMatchObject({ code: 'absent' })
    expect((await memory(['check'])).out).toBe('0 items, nothing wrong\n')
    await expect(memory(['supersede', 'x', 'y'])).rejects.toThrow('x')
  })

  it('forgets in the records of sessions and in what was exported, and leaves the rest', async () => {
    const store = await openStore({ kind: 'sqlite', path: path.join(folder, 'palimpsest.db') })
    const session = await store.openSession({ id: 's1', origin: 'test' })
    await store.append(session, {
      expected: { messages: 0, ledger: 0, entries: 0 },
      messages: [
        {
          previous: null,
          draft: {
            role: 'user',
            items: [{ kind: 'text', text: 'Fix the door.\nThe garage code is 4711.\nThanks.' }],
          },
          handles: ['abc123'],
        },
      ],
    })
    await memory(['add', 'fact', 'the garage code is 4711'])
    await memory(['add', 'decision', 'Use the garage as the data centre'])
    await memory(['add', 'decision', 'Use SQLite'])
    const [lines, markdown, records] = ['memory.jsonl', 'CLAUDE.md', 'decisions'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string]
    writeFileSync(markdown, '# Mine\n\nDo not touch.\n')
    await memory(['export', '--to', lines])
    await memory(['export', '--format', 'markdown', '--to', markdown])
    await memory(['export', '--format', 'adr', '--to', records])
    const said = await memory(['forget', '--search', 'garage', '--yes'])
    expect(said.out).toContain('removed from session s1')
    for (const file of [
      lines,
      markdown,
      path.join(records, '0001-use-the-garage-as-the-data-centre.md'),
    ])
      expect(said.out).toContain(`removed from ${file}`)
    expect(readdirSync(records)).toEqual(['0002-use-sqlite.md'])
    expect(readFileSync(markdown, 'utf8')).toContain('Do not touch.')
    for (const file of [lines, markdown]) {
      expect(readFileSync(file, 'utf8')).toContain('Use SQLite')
      expect(readFileSync(file, 'utf8')).not.toMatch(/garage|4711/)
    }
    const [first] = (await store.load(await store.openSession({ id: 's1', origin: 'test' })))
      .messages
    expect(first?.draft.items).toEqual([
      { kind: 'text', text: 'Fix the door.\n[forgotten]\nThanks.' },
    ])
    await store.close()
  })

  it('carries a memory to another store', async () => {
    await memory(['add', 'decision', 'Use SQLite', '--why', 'one file'])
    const file = path.join(folder, 'memory.jsonl')
    writeFileSync(file, (await memory(['export'])).out)
    const other = ['--store', path.join(folder, 'other.db')]
    expect(await json(['import', file, ...other])).toMatchObject({ added: 1, refused: [] })
    expect(await json(['list', ...other])).toMatchObject([{ text: 'Use SQLite' }])
  })

  it('makes no store where somebody only looks', async () => {
    const absent = path.join(folder, 'absent', 'store.db')
    for (const command of [['list'], ['search', 'x'], ['context'], ['patterns'], ['check']])
      expect((await memory([...command, '--store', absent])).code).toBe(0)
    expect(existsSync(path.dirname(absent))).toBe(false)
  })

  it('says what an addition replaced, and refuses to forget what is not there or everything', async () => {
    await memory(['add', 'preference', 'style', 'indentation', 'tabs'])
    const { out } = await memory(['add', 'preference', 'style', 'indentation', '2 spaces'])
    expect(out).toMatch(
      /^preference_\w+ {2}indentation: 2 spaces\n {2}replaces preference_\w+ {2}indentation: tabs\n$/,
    )
    await expect(memory(['forget', 'fact_none'])).rejects.toThrow('no memory item fact_none')
    await expect(memory(['forget', '--search', ' '])).rejects.toThrow('name the items')
    expect(await json(['list', '--all'])).toHaveLength(2)
  })

  it('exports the decisions of one project, under new numbers when one is forgotten', async () => {
    await memory(['add', 'decision', 'Use Kafka', '--project', 'other'])
    const { id } = (await json(['add', 'decision', 'Use SQLite'])) as { id: string }
    await memory(['add', 'decision', 'Write ADRs'])
    const records = path.join(folder, 'decisions')
    const exported = async (): Promise<readonly string[]> => {
      await memory(['export', '--format', 'adr', '--to', records])
      return readdirSync(records)
    }
    expect(await exported()).toEqual(['0001-use-sqlite.md', '0002-write-adrs.md'])
    await memory(['forget', id, '--yes'])
    expect(await exported()).toEqual(['0001-write-adrs.md'])
    const other = ['--store', path.join(folder, 'other.db'), '--project', 'mine']
    const file = path.join(folder, 'CLAUDE.md')
    await memory(['export', '--format', 'markdown', '--to', file])
    await memory(['import', file, ...other])
    expect(await json(['list', ...other])).toMatchObject([
      { text: 'Write ADRs', scope: 'project:mine' },
    ])
  })

  it('shows what recorded sessions would leave, and stores it only on a yes', async () => {
    const file = path.join(folder, 'session.jsonl')
    const entry = (uuid: string, text: string): object => ({
      type: 'user',
      uuid,
      parentUuid: null,
      sessionId: 's1',
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: 'user', content: text },
    })
    writeFileSync(
      file,
      lines(entry('1', 'We use pnpm in this repository.'), entry('2', 'fix the build')),
    )
    expect((await memory(['learn', file], 'no\n')).out).toContain(
      'add preference package_manager: pnpm',
    )
    expect(await json(['list'])).toEqual([])
    await memory(['learn', file], 'yes\n')
    expect(await json(['list'])).toMatchObject([{ key: 'package_manager', value: 'pnpm' }])
  })

  it('tells what changes often, and what to ask', async () => {
    for (const editor of ['Vim', 'Zed', 'Vim', 'Zed'])
      await memory(['add', 'preference', 'tooling', 'editor', editor])
    expect(await json(['patterns'])).toMatchObject({
      unstable: [{ key: 'editor', changes: 3, flipFlops: 2, values: ['Vim', 'Zed', 'Vim', 'Zed'] }],
      categories: [{ category: 'tooling', conflicts: 3 }],
      corrections: [{ week: '2025-12-29', count: 3 }],
    })
  })
})
