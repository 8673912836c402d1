import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresFolder } from '../../scripts/postgres.mjs'
import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import { forgetInExports, noteExport } from '../../src/mcp/exported-files.ts'
import {
  type ForgetInput,
  forgetMatching,
  forgetTarget,
} from '../../src/memory/forget/forget-matching.ts'
import { forgetInSessions } from '../../src/memory/forget/forget-sessions.ts'
import { openLog } from '../../src/memory/log/open-log.ts'
import { Memory } from '../../src/memory/memory.ts'
import { observe } from '../../src/memory/observe.ts'
import { exportDecisionRecords } from '../../src/memory/transfer/decision-records.ts'
import { exportJsonLines } from '../../src/memory/transfer/json-lines.ts'
import type { StoreLocation } from '../../src/store/location.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type PostgresServer, startPostgres } from '../store/postgres.ts'

const place = { project: 'house', session: 'source' }
let folder: string
let memory: Memory
let store: Store
let names = 0

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-short-'))
})

afterEach(async () => {
  memory.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

async function open(location: StoreLocation): Promise<void> {
  const log = await openLog(location)
  memory = new Memory({ log, now: Date.now, newId: (kind) => `${kind}_${++names}` })
  store = await openStore(location)
}

const sqlite = (): StoreLocation => ({ kind: 'sqlite', path: path.join(folder, 'store.db') })

const text = (said: string): ItemDraft => ({ kind: 'text', text: said })

async function record(id: string, messages: readonly MessageDraft[]): Promise<void> {
  await store.append(await store.openSession({ id, origin: 'test' }), {
    expected: { messages: 0, ledger: 0, entries: 0 },
    messages: messages.map((draft, index) => ({
      previous: index === 0 ? null : index - 1,
      draft,
      handles: draft.items.map((_, item) => `abc${index}${item}0`),
    })),
  })
}

async function recorded(id: string): Promise<readonly MessageDraft[]> {
  const { messages } = await store.load(await store.openSession({ id, origin: 'test' }))
  return messages.map(({ draft }) => draft)
}

const texts = async (id: string): Promise<readonly string[]> =>
  (await recorded(id)).flatMap(({ items }) => items.map((item) => item.text))

async function forget(input: ForgetInput): Promise<readonly string[]> {
  const target = forgetTarget(memory.state, input)
  await forgetInSessions(store, target)
  const gone = forgetMatching(memory, input)
  await memory.save()
  forgetInExports(memory, folder, target)
  return gone
}

/** Everything of it that stands as a word of its own, in files as they are and in what the store gives. */
async function left(files: readonly string[], word: string): Promise<number> {
  const found = new RegExp(`(?<![a-z])${word}(?![a-z])`, 'gi')
  let count = 0
  for (const file of files) count += readFileSync(file, 'latin1').match(found)?.length ?? 0
  for await (const line of store.exportLines()) count += line.match(found)?.length ?? 0
  return count
}

/** Has `Emacs` remembered, recorded in every way in which it comes to be recorded, exported, and forgets it. */
async function forgetsEverywhere(
  files: () => readonly string[],
  settle: () => Promise<void>,
): Promise<void> {
  observe(memory, { id: 'm1', role: 'user', text: 'Try Spacemacs.' }, place)
  const source = { origin: 'user', session: 'source', message: 'm2', quote: 'Emacs it is' } as const
  const key = { kind: 'decision', subject: 'project', attribute: 'editor' } as const
  const [old, item] = ['Use vi', 'Use Emacs'].map(
    (said) => memory.add({ ...key, text: said, value: said.slice(4), source }).id,
  ) as [string, string]
  memory.write(({ at }) => ({
    events: [
      {
        kind: 'heard',
        at,
        message: {
          id: 'm9',
          role: 'user',
          session: 'other',
          saidAt: at,
          text: 'Okay.\nI use Emacs here.',
        },
      },
    ],
    result: undefined,
  }))
  await memory.save()
  await record('source', [
    { role: 'user', id: 'm1', items: [text('Try Spacemacs.')] },
    { role: 'user', id: 'm2', items: [text('First the tests.\nMy Emacs is fine, Emacs it is.')] },
  ])
  const add = { kind: 'decision', text: 'Use Emacs', attribute: 'editor', value: 'Emacs' }
  await record('agent', [
    {
      role: 'user',
      items: [text('Hello.\n- Use Emacs.\nI use Emacs as my editor.\nSpacemacs.')],
    },
    {
      role: 'assistant',
      items: [
        {
          kind: 'call',
          tool: 'mcp__palimpsest__memory_add',
          call: 'c1',
          text: JSON.stringify(add),
        },
        { kind: 'call', tool: 'bash', call: 'c2', text: '{"command":"palimpsest memory list"}' },
      ],
    },
    {
      role: 'tool',
      items: [
        {
          kind: 'result',
          tool: '',
          call: 'c1',
          status: 'ok',
          text: JSON.stringify({ item, ...add }),
        },
        { kind: 'result', tool: '', call: 'c2', status: 'ok', text: `${item}  Use Emacs\nelse` },
      ],
    },
  ])
  const lines = path.join(folder, 'memory.jsonl')
  writeFileSync(lines, exportJsonLines(memory).join('\n'))
  noteExport(memory, { format: 'jsonl', target: lines, place, home: folder })
  const records = mkdtempSync(path.join(folder, 'records-'))
  for (const { file, text: said } of exportDecisionRecords(memory))
    writeFileSync(path.join(records, file), said)
  noteExport(memory, {
    format: 'adr',
    target: records,
    files: readdirSync(records),
    place,
    home: folder,
  })
  await memory.save()
  const exported = (): readonly string[] => [
    lines,
    ...readdirSync(records).map((name) => path.join(records, name)),
  ]
  expect(await left([...files(), ...exported()], 'Emacs')).toBeGreaterThan(15)

  expect(await forget({ ids: [item] })).toEqual([item])
  await settle()

  expect(await left([...files(), ...exported()], 'Emacs')).toBe(0)
  expect(await texts('source')).toEqual(['Try Spacemacs.', 'First the tests.\n[forgotten]'])
  expect(await texts('agent')).toEqual([
    'Hello.\n[forgotten]\n[forgotten]\nSpacemacs.',
    JSON.stringify({ ...add, text: '[forgotten]', value: '[forgotten]' }),
    '{"command":"palimpsest memory list"}',
    JSON.stringify({ item, ...add, text: '[forgotten]', value: '[forgotten]' }),
    '[forgotten]\nelse',
  ])
  expect(memory.state.items.has(old)).toBe(true)
  const [kept = ''] = readdirSync(records)
  expect(kept).toBe('0001-use-vi.md')
  expect(readFileSync(path.join(records, kept), 'utf8')).toContain(
    'Superseded by a forgotten decision',
  )
}

describe('a short text that is forgotten', () => {
  it('is in no copy any more on SQLite, and words that only contain it stay', async () => {
    await open(sqlite())
    const files = (): readonly string[] =>
      readdirSync(folder)
        .filter((name) => name.startsWith('store.db'))
        .map((name) => path.join(folder, name))
    await forgetsEverywhere(files, async () => {})
  })

  it('leaves what others wrote, tools printed and other sessions said of something else', async () => {
    await open(sqlite())
    const source = { origin: 'user', session: 'source', message: 'm1' } as const
    const { id } = memory.add({ kind: 'fact', text: 'vim', source })
    const other: readonly MessageDraft[] = [
      { role: 'system', items: [text('You may use vim in this environment.')] },
      { role: 'user', id: 'm1', items: [text('Why is vim missing in the image?')] },
      {
        role: 'assistant',
        items: [
          text('Open vim and look.'),
          { kind: 'call', tool: 'bash', call: 'c1', text: '{"command":"vim --version"}' },
        ],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool: 'bash', call: 'c1', status: 'ok', text: 'vim\nvim 9.1' }],
      },
    ]
    await record('another', other)
    expect(await forget({ ids: [id] })).toEqual([id])
    expect(await recorded('another')).toEqual(other)
  })

  it('is found as a word by a search, and never in the names of things', async () => {
    await open(sqlite())
    const kept = memory.add({ kind: 'fact', text: 'the environment is a user of text' }).id
    const gone = memory.add({ kind: 'fact', text: 'likes my_vim_config' }).id
    await record('one', [
      { role: 'user', items: [text('Set the environment.\nOpen vim.')] },
      { role: 'assistant', items: [text('The user said so.')] },
    ])
    expect(await forget({ search: 'vim' })).toEqual([gone])
    expect(await texts('one')).toEqual(['Set the environment.\n[forgotten]', 'The user said so.'])
    for (const search of ['fact', 'assistant', 'decision'])
      expect(await forget({ search })).toEqual([])
    expect(await forget({ search: 'user' })).toEqual([kept])
    expect((await recorded('one')).map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(await texts('one')).toEqual(['Set the environment.\n[forgotten]', '[forgotten]'])
    expect(await store.check()).toEqual([])
  })

  it('goes everywhere when it is a name, as it is written', async () => {
    await open(sqlite())
    const { id } = memory.add({ kind: 'fact', text: 'Priya' })
    const rest = 'priyas list\nPriyanka came'
    const results = [{ kind: 'result', tool: 'bash', call: 'c1', status: 'ok' }] as const
    await record('one', [
      { role: 'user', items: [text(`Ask Priya about it.\n${rest}`)] },
      { role: 'tool', items: results.map((each) => ({ ...each, text: `owner: Priya\n${rest}` })) },
    ])
    expect(await forget({ ids: [id] })).toEqual([id])
    expect(await texts('one')).toEqual([`[forgotten]\n${rest}`, `[forgotten]\n${rest}`])
  })

  it('goes with what said the same before it in its chain, and out of reasons', async () => {
    await open(sqlite())
    const key = { kind: 'preference', category: 'style', attribute: 'indentation' } as const
    const [first, second, third] = ['tabs', 'spaces', 'tabs'].map(
      (value) => memory.add({ ...key, text: value, value }).id,
    ) as [string, string, string]
    const other = memory.add({ kind: 'fact', text: 'likes short files' }).id
    memory.retract(other, 'hunter2 is why')
    expect((await forget({ ids: [third] })).toSorted()).toEqual([first, third].toSorted())
    expect([...memory.state.items.keys()]).toEqual([second, other])
    expect(await forget({ search: 'hunter2' })).toEqual([])
    expect(readFileSync(path.join(folder, 'store.db'), 'latin1')).not.toContain('hunter2')
  })

  describe.skipIf(postgresFolder() === null)('in PostgreSQL', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    }, 60_000)
    afterAll(async () => server.end())

    it('is in no file of the server after VACUUM, its write-ahead log excepted', async () => {
      const url = await server.database()
      await open({ kind: 'postgres', url })
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        const { rows } = await client.query<{ data_directory: string }>('show data_directory')
        const data = rows[0]?.data_directory ?? ''
        await forgetsEverywhere(
          () =>
            readdirSync(data, { recursive: true, encoding: 'utf8' })
              .filter((name) => !name.startsWith('pg_wal'))
              .map((name) => path.join(data, name))
              .filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true),
          async () => {
            await client.query('vacuum')
            await client.query('checkpoint')
          },
        )
      } finally {
        await client.end()
      }
    })
  })
})
