import type { Kysely } from 'kysely'
import { PalimpsestError } from '../core/words/errors.ts'
import { migrations } from './schema/index.ts'
import type { Migration, SchemaPart, SchemaTable } from './schema/migration.ts'
import type { SqlEngine } from './sql/engine.ts'
import { firstOf, queriesFor, rowsOf, type Steps } from './sql/steps.ts'

export interface Migrated {
  /** 0 for a new store. */
  readonly from: number
  readonly to: number
}

type MigratedEngine = Pick<SqlEngine<unknown>, 'name' | 'schema' | 'lock' | 'hasTable'>

/** The schema version after `migrate`. */
export function newestVersion(part: SchemaPart, steps: readonly Migration[] = migrations): number {
  return Math.max(0, ...steps.flatMap((step) => (step.part === part ? [step.version] : [])))
}

/**
 * Migrates a part to its newest schema in one transaction. When several processes call it, one migrates and the others
 * wait. Refuses a store with a newer schema without changing it.
 */
export async function migrate<Tables>(
  engine: SqlEngine<Tables>,
  part: SchemaPart,
  steps: readonly Migration[] = migrations,
): Promise<Migrated> {
  const newest = newestVersion(part, steps)
  const before = await storedVersion(engine, part)
  refuseNewer(before, newest)
  // Takes no lock when there is nothing to do.
  if (before === newest) return { from: before, to: newest }
  return engine.write(() => migrateSteps(engine, part, steps))
}

/** `migrate` inside a writing transaction. */
export function* migrateSteps(
  engine: MigratedEngine,
  part: SchemaPart,
  steps: readonly Migration[] = migrations,
): Steps<Migrated> {
  const newest = newestVersion(part, steps)
  const db = queriesFor<SchemaTable>(engine.name, engine.schema)
  yield* engine.lock('migrate', 'exclusive')
  yield* rowsOf(
    db.schema
      .createTable('palimpsest_schema')
      .ifNotExists()
      .addColumn('part', 'text', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull()),
  )
  const from = yield* versionIn(db, part)
  refuseNewer(from, newest)
  for (const step of steps)
    if (step.part === part && step.version > from) yield* step.up(db, engine)
  yield* rowsOf(
    db
      .insertInto('palimpsest_schema')
      .values({ part, version: newest })
      .onConflict((conflict) => conflict.column('part').doUpdateSet({ version: newest })),
  )
  return { from, to: newest }
}

/** The schema version of a store; 0 when it has none. */
export async function storedVersion<Tables>(
  engine: SqlEngine<Tables>,
  part: SchemaPart,
): Promise<number> {
  return engine.read(() => versionSteps(engine, part))
}

/** `storedVersion` inside a transaction. */
export function* versionSteps(engine: MigratedEngine, part: SchemaPart): Steps<number> {
  if (!(yield* engine.hasTable('palimpsest_schema'))) return 0
  return yield* versionIn(queriesFor<SchemaTable>(engine.name, engine.schema), part)
}

function* versionIn(db: Kysely<SchemaTable>, part: SchemaPart): Steps<number> {
  const row = yield* firstOf(
    db.selectFrom('palimpsest_schema').select('version').where('part', '=', part),
  )
  return row?.version ?? 0
}

/** @throws PalimpsestError with code `store-version`. */
export function refuseNewer(stored: number, newest: number): void {
  if (stored <= newest) return
  throw new PalimpsestError(
    'store-version',
    `the store has schema ${stored}, but this version of Palimpsest supports schemas up to ${newest}: update Palimpsest, or use another store`,
  )
}
