import { PalimpsestError } from '../core/words/errors.ts'
import type { StoreLocation } from './location.ts'
import { createMemoryStore } from './memory-store.ts'
import { type Migrated, migrate, storedVersion } from './migrate.ts'
import { openPostgres } from './postgres/open.ts'
import { sessionsPart, storeSchema } from './schema/index.ts'
import type { SqlEngine } from './sql/engine.ts'
import { createSqlStore } from './sql/sql-store.ts'
import { openSqlite } from './sqlite/open.ts'
import { openSqliteReadOnly } from './sqlite/open-read-only.ts'
import { closeToOthers, makeFolder, unusable } from './sqlite/private-file.ts'
import type { Store } from './store.ts'
import type { StoreTables } from './tables.ts'

const newestVersion = storeSchema.at(-1)?.version ?? 0

export interface OpenOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** `refuse`: a store with an older schema is left as it is, and not opened. */
  readonly older?: 'migrate' | 'refuse'
  /** Nothing is written, not even beside a file; a store with an older schema is migrated all the same. */
  readonly readOnly?: boolean
  /** Told when an older schema, or none, became the newest. */
  readonly onMigrated?: (migrated: Migrated) => void
}

/**
 * Opens the store, or makes it. Rejects with a `PalimpsestError` when that cannot be: its code starts with `store-`, or is
 * `usage` for a URL that says something impossible.
 *
 * @example
 * const store = await openStore(storeLocation({ chosen: undefined, home, cwd }))
 */
export async function openStore(
  location: StoreLocation,
  options: OpenOptions = {},
): Promise<Store> {
  const now = options.now ?? Date.now
  if (location.kind === 'memory') return createMemoryStore({ now })
  if (options.readOnly === true && location.kind === 'sqlite') {
    const reading = await openSqliteReadOnly<StoreTables>(location.path)
    if ((await storedVersion(reading, sessionsPart)) === newestVersion)
      return createSqlStore(reading, now)
    // An older schema has to be written anew before it can be read.
    await reading.close()
  }
  const engine = await openEngine<StoreTables>(location)
  try {
    if (options.older === 'refuse') await refuseOlder(engine)
    const migrated = await migrate(engine, sessionsPart, storeSchema)
    if (migrated.from !== migrated.to) options.onMigrated?.(migrated)
    return createSqlStore(engine, now)
  } catch (error) {
    await engine.close().catch(() => {})
    if (PalimpsestError.is(error)) throw error
    throw engine.explain(error) ?? error
  }
}

/** The engine alone, without the store's tables, for parts that keep their own beside them. */
export async function openEngine<Tables>(
  location: Exclude<StoreLocation, { readonly kind: 'memory' }>,
): Promise<SqlEngine<Tables>> {
  if (location.kind === 'postgres') return openPostgres<Tables>(location.url)
  const { path, home } = location
  if (home !== undefined) {
    try {
      makeFolder(home, 0o700)
      closeToOthers(home)
    } catch (cause) {
      throw unusable(home, cause)
    }
  }
  return openSqlite<Tables>(path)
}

async function refuseOlder(engine: SqlEngine<StoreTables>): Promise<void> {
  const stored = await storedVersion(engine, sessionsPart)
  if (stored === 0 || stored >= newestVersion) return
  throw new PalimpsestError(
    'store-version',
    `the store has schema ${stored}, and ${newestVersion} is needed: run \`palimpsest store migrate\``,
  )
}
