import { PalimpsestError } from '../core/words/errors.ts'
import type { StoreLocation } from './location.ts'
import { createMemoryStore } from './memory-store.ts'
import { type Migrated, migrate, newestVersion, refuseNewer, storedSchema } from './migrate.ts'
import { openPostgres } from './postgres/open.ts'
import { openSealing, sealingOf } from './seal-row.ts'
import { Sealing } from './sealing.ts'
import { createContext, type StoreContext } from './sql/context.ts'
import type { SqlEngine } from './sql/engine.ts'
import { createSqlStore } from './sql/sql-store.ts'
import { openSqlite } from './sqlite/open.ts'
import { openSqliteReadOnly } from './sqlite/open-read-only.ts'
import { closeToOthers, makeFolder, unusable } from './sqlite/private-file.ts'
import type { Store } from './store.ts'
import type { StoreTables } from './tables.ts'

export interface OpenOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** `refuse`: do not open a store with an older schema. */
  readonly older?: 'migrate' | 'refuse'
  /** Writes nothing to a file, not even side files. An older schema is refused. */
  readonly readOnly?: boolean
  /** Called after a migration, or when the store was created. */
  readonly onMigrated?: (migrated: Migrated) => void
  /** Called when the file was deleted, moved or replaced while it was in use, and the one that is there now is used. */
  readonly onRenewed?: () => void
}

/**
 * Opens or creates the store. Rejects with a `PalimpsestError` whose code starts with `store-`, or is `usage` for an
 * invalid URL.
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
    return openForReading(location, now)
  }
  let context: StoreContext | undefined
  const renewed = async (engine: SqlEngine<StoreTables>): Promise<void> => {
    // The new file counts its sessions and blocks from the beginning.
    context?.chains.clear()
    await migrateAll(engine)
    if (context !== undefined) {
      context.engine.sealing = await openSealing(engine, location.key)
      context.renewals++
    }
    options.onRenewed?.()
  }
  const engine = await openEngine<StoreTables>(location, renewed)
  try {
    if (options.older === 'refuse') await refuseOlder(engine)
    const migrated = await migrateAll(engine)
    if (migrated.from !== migrated.to) options.onMigrated?.(migrated)
    context = createContext(engine, await openSealing(engine, location.key))
    return createSqlStore(context, now)
  } catch (error) {
    await engine.close().catch(() => {})
    if (PalimpsestError.is(error)) throw error
    throw engine.explain(error) ?? error
  }
}

/** Says what was migrated of the sessions. */
async function migrateAll(engine: SqlEngine<StoreTables>): Promise<Migrated> {
  const migrated = await migrate(engine, 'sessions')
  await migrate(engine, 'team')
  return migrated
}

async function openForReading(
  { path, key }: Extract<StoreLocation, { readonly kind: 'sqlite' }>,
  now: () => number,
): Promise<Store> {
  const reading = await openSqliteReadOnly<StoreTables>(path)
  try {
    const stored = await storedSchema(reading, 'sessions')
    if (stored.version < newestVersion('sessions')) throw olderVersion(stored.version)
    refuseNewer(stored, newestVersion('sessions'))
    // A store that has no key yet is read as it is.
    const sealing = (await reading.read(() => sealingOf(reading, key))) ?? new Sealing()
    return createSqlStore(createContext(reading, sealing), now)
  } catch (error) {
    await reading.close().catch(() => {})
    if (PalimpsestError.is(error)) throw error
    throw reading.explain(error) ?? error
  }
}

/** The engine without any tables. */
export async function openEngine<Tables>(
  location: Exclude<StoreLocation, { readonly kind: 'memory' }>,
  renewed?: (engine: SqlEngine<Tables>) => Promise<void>,
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
  return openSqlite<Tables>(path, renewed)
}

async function refuseOlder(engine: SqlEngine<StoreTables>): Promise<void> {
  const { version } = await storedSchema(engine, 'sessions')
  if (version === 0 || version >= newestVersion('sessions')) return
  throw olderVersion(version)
}

function olderVersion(stored: number): PalimpsestError {
  const newest = newestVersion('sessions')
  const remedy = 'run `palimpsest store migrate`'
  return new PalimpsestError(
    'store-version',
    `the store has schema ${stored}, but schema ${newest} is required: ${remedy}`,
  )
}
