import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { forgetInExports, noteExport } from '../../src/mcp/exported-files.ts'
import { forgetMatching, forgetTarget } from '../../src/memory/forget/forget-matching.ts'
import { forgetInSessions } from '../../src/memory/forget/forget-sessions.ts'
import { injectMemory } from '../../src/memory/inject/inject-memory.ts'
import { openLog } from '../../src/memory/log/open-log.ts'
import { Memory } from '../../src/memory/memory.ts'
import { observe } from '../../src/memory/observe.ts'
import { exportJsonLines } from '../../src/memory/transfer/json-lines.ts'
import type { StoreLocation } from '../../src/store/location.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Measure } from './measure.ts'

/** Words that no file of any program has. */
const secret = 'marmalade-7731-xylophone'
const said = `My name is Marmaduke. From now on the vault opens with ${secret} and nothing else.`
const place = { project: 'bench', session: 'bench' }

/**
 * Adds a text to the memory, injects it into a conversation, records it in a session, exports it and forgets it. Then counts
 * how often it is left in the files and in everything that the store returns.
 */
export async function measureForgetting(
  location: StoreLocation,
  files: () => readonly string[],
  settle: () => Promise<void> = async () => {},
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-bench-export-'))
  const exported = path.join(folder, 'memory.jsonl')
  const log = await openLog(location)
  let count = 0
  const memory = new Memory({ log, now: Date.now, newId: (kind) => `${kind}_${++count}` })
  const store = await openStore(location)
  try {
    for (let index = 0; index < 200; index++)
      memory.add({ kind: 'fact', text: `fact ${index} of many`, attribute: 'note' })
    observe(memory, { id: '1', role: 'user', text: said }, place)
    memory.add({ kind: 'fact', text: said, source: { origin: 'user', quote: said } })
    await injectMemory(memory, {
      session: 'bench',
      place,
      count: 1,
      keyOf: String,
      firstUser: 0,
      isFirst: true,
      isCold: false,
    })
    await memory.save()
    for (const id of ['one', 'two']) {
      const session = await store.openSession({ id, origin: 'bench' })
      await store.append(session, {
        expected: { messages: 0, ledger: 0, entries: 0 },
        messages: [`Hello ${id}.\n${said}\nGo on.`, `An answer ${id}`].map((text, index) => ({
          previous: index === 0 ? null : index - 1,
          draft: { role: index === 0 ? 'user' : 'assistant', items: [{ kind: 'text', text }] },
          handles: [`abc00${index}`],
        })),
      })
    }
    writeFileSync(exported, exportJsonLines(memory).join('\n'))
    noteExport(memory, { format: 'jsonl', target: exported, place, home: folder })
    await memory.save()
    if (!(await isThere(exported, files(), store))) throw new Error('nothing was there to forget')
    const target = forgetTarget(memory.state, { search: secret })
    await forgetInSessions(store, target)
    forgetMatching(memory, { search: secret })
    await memory.save()
    forgetInExports(memory, folder, target)
    await settle()
    return await left(exported, files(), store)
  } finally {
    memory.close()
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

type OpenedStore = Awaited<ReturnType<typeof openStore>>

async function isThere(
  exported: string,
  files: readonly string[],
  store: OpenedStore,
): Promise<boolean> {
  return (await left(exported, files, store)) >= 3
}

async function left(
  exported: string,
  files: readonly string[],
  store: OpenedStore,
): Promise<number> {
  let found = 0
  for (const file of [exported, ...files]) found += occurrences(readFileSync(file))
  for await (const line of store.exportLines()) found += occurrences(Buffer.from(line))
  return found
}

function occurrences(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + 1)) count++
  return count
}

export async function measureForgettingInSqlite(): Promise<readonly Measure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-bench-forget-'))
  try {
    const files = (): readonly string[] =>
      readdirSync(folder).map((name) => path.join(folder, name))
    const location = { kind: 'sqlite', path: path.join(folder, 'store.db') } as const
    return [measured('SQLite at once', await measureForgetting(location, files))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function measureForgettingInPostgres(url: string): Promise<readonly Measure[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const folder = rows[0]?.data_directory ?? ''
    const files = (): readonly string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('pg_wal'))
        .map((name) => path.join(folder, name))
        .filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true)
    const location = { kind: 'postgres', url } as const
    const settle = async (): Promise<void> => {
      await client.query('vacuum')
      await client.query('checkpoint')
    }
    await client.query('checkpoint')
    const found = await measureForgetting(location, files, settle)
    return [measured('PostgreSQL after VACUUM, its write-ahead log excepted', found)]
  } finally {
    await client.end()
  }
}

function measured(where: string, found: number): Measure {
  return {
    name: `copies of a forgotten text left: ${where}`,
    value: String(found),
    goal: '0',
    reached: found === 0,
  }
}
