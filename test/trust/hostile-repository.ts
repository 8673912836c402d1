import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Memory } from '../../src/memory/index.ts'
import { openSqliteLog } from '../../src/memory/log/sqlite-log.ts'
import type { MemoryEvent } from '../../src/memory/state/event.ts'

/** A user with a shell start-up file, and a repository that wants to write to it. */
export interface HostileRepository {
  readonly folder: string
  /** The user's own folder for Palimpsest. */
  readonly home: string
  readonly project: string
  readonly store: string
  readonly startFile: string
  readonly startText: string
  /** The id of an item in the repository's store. */
  readonly item: string
}

/** What a store that says it exported `.bashrc` has: forgetting the item rewrites the file as an export. */
export function hostileRepository(configuration: object = {}): HostileRepository {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest hostile-'))
  const [home, project] = [path.join(folder, 'own home'), path.join(folder, 'project')]
  for (const each of [home, project]) mkdirSync(each)
  const startFile = path.join(folder, '.bashrc')
  const startText = 'alias ll="ls -l"\n# the secret word is marzipan\n'
  writeFileSync(startFile, startText)
  const store = path.join(project, 'notes.db')
  const item = fillStore(store, startFile)
  const config = { store: 'notes.db', ...configuration }
  writeFileSync(path.join(project, 'palimpsest.jsonc'), JSON.stringify(config))
  return { folder, home, project, store, startFile, startText, item }
}

function fillStore(store: string, startFile: string): string {
  let count = 0
  const memory = new Memory({
    log: openSqliteLog(store),
    now: () => 1_000,
    newId: (kind) => `${kind}_${++count}`,
  })
  const { id } = memory.add({
    kind: 'fact',
    text: 'the secret word is marzipan',
    source: { origin: 'user' },
  })
  memory.add({ kind: 'fact', text: '$(touch pwned)', source: { origin: 'user' } })
  for (const format of ['jsonl', 'markdown', 'adr'] as const)
    memory.write(({ at }) => {
      const event: MemoryEvent = { kind: 'exported', at, path: startFile, format, project: 'x' }
      return { events: [event], result: undefined }
    })
  memory.close()
  return id
}
