import { createRequire } from 'node:module'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqliteDatabase } from '../../store/sqlite/driver.ts'

interface Drivers {
  readonly DatabaseSync?: new (path: string) => SqliteDatabase
  readonly Database?: new (path: string) => SqliteDatabase
}

/** SQLite as this runtime has it, without waiting: the documented methods of a memory are synchronous from the start. */
export function sqliteNow(path: string): SqliteDatabase {
  const { DatabaseSync, Database } = drivers()
  if (DatabaseSync) return new DatabaseSync(path)
  if (Database) return new Database(path)
  throw new PalimpsestError('store-driver', 'this runtime has no SQLite: use Node 22.13 or newer')
}

function drivers(): Drivers {
  const load = createRequire(import.meta.url)
  if ('Bun' in globalThis) return load('bun:sqlite') as Drivers
  const builtin = builtinSqlite()
  if (builtin) return builtin
  const name = '@photostructure/sqlite'
  try {
    return load(name) as Drivers
  } catch (cause) {
    throw new PalimpsestError(
      'store-driver',
      `this runtime has no SQLite and ${name} is not installed: \`npm install ${name}\`, or use Node 22.13 or newer`,
      { cause },
    )
  }
}

function builtinSqlite(): Drivers | undefined {
  const { emitWarning } = process
  // Node 22 warns that its SQLite is experimental: nothing that a user can act on.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite') as Drivers | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
