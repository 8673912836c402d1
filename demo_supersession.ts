// A memory that changes its mind: what is newer holds, what it replaced stays in the history.
// Run it with `npx tsx demo_supersession.ts`, in a clone or in the installed package.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

type MemoryModule = typeof import('./src/memory/index.ts')

/** A clone has the sources, the package what was built from them. */
async function memoryModule(): Promise<MemoryModule> {
  try {
    return await import('./src/memory/index.ts')
  } catch {
    const built = 'palimpsest/memory'
    return (await import(built)) as MemoryModule
  }
}

/** Shows five points, in a folder of its own that is gone at the end. */
export async function showSupersession(print: (line: string) => void): Promise<void> {
  const { LocalMemoryStore, memoryContext, openSqliteLog } = await memoryModule()
  const folder = mkdtempSync(path.join(tmpdir(), 'supersession-demo-'))
  const open = (): InstanceType<MemoryModule['LocalMemoryStore']> =>
    new LocalMemoryStore(folder, { log: openSqliteLog(path.join(folder, 'memory.db')) })
  const store = open()

  print('1. Facts: the newer word holds, because both are about the editor')
  store.addUserFact({ fact: 'user prefers VS Code', category: 'personal', confidence: 0.8 })
  store.addUserFact({ fact: 'user prefers Vim', category: 'personal', confidence: 0.9 })
  const facts = store.getAllUserFacts()
  for (const { fact, supersededBy } of facts)
    print(`   ${fact}${supersededBy === undefined ? '' : ' (superseded)'}`)

  print('2. Preferences: one value for each key, and its history')
  const editor = { category: 'tooling', key: 'editor', lifespan: 'permanent' } as const
  store.addPreference({ ...editor, value: 'VS Code' })
  store.addPreference({ ...editor, value: 'Neovim' })
  print(`   current: ${store.getPreferenceByKey('tooling', 'editor')?.value}`)
  print(
    `   history: ${store
      .getAllPreferences()
      .map(({ value }) => value)
      .join(' → ')}`,
  )

  print('3. Decisions: a chain')
  for (const description of ['Use PostgreSQL', 'Use MongoDB', 'Use PostgreSQL with caching layer'])
    store.addDecision({ description, category: 'architecture' })
  print(
    `   ${store
      .getAllDecisions()
      .map(({ description }) => description)
      .join(' → ')}`,
  )

  print('4. Context: a model is told what holds, and nothing else')
  const place = { project: path.resolve(folder), session: 'demo' }
  for (const line of memoryContext(store.memory, place).split('\n')) print(`   ${line}`.trimEnd())

  print('5. Persistence: another process finds the same')
  store.close()
  const restored = open()
  await restored.load()
  const again = restored.getAllUserFacts().find(({ id }) => id === facts[0]?.id)
  const same = again?.supersededBy === facts[1]?.id && again?.supersededAt instanceof Date
  print(`   the first fact is still superseded by the second: ${same}`)
  restored.close()
  rmSync(folder, { recursive: true })
}

if (process.argv[1]?.includes('demo_supersession')) await showSupersession(console.log)
