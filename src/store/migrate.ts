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

/** The version that `migrate` brings a part to. */
export function newestVersion(part: SchemaPart, steps: readonly Migration[] = migrations): number {
  return Math.max(0, ...steps.flatMap((step) => (step.part === part ? [step.version] : [])))
}

/**
 * Brings a part to its newest schema, all steps or none. Several processes may call it at once: one does it, the others
 * wait. A store that is newer than the steps is refused, untouched.
 */
export async function migrate<Tables>(
  engine: SqlEngine<Tables>,
  part: SchemaPart,
  steps: readonly Migration[] = migrations,
): Promise<Migrated> {
  const newest = newestVersion(part, steps)
  const before = await storedVersion(engine, part)
  refuseNewer(before, newest)
  // The usual case takes no lock.
  if (before === newest) return { from: before, to: newest }
  return engine.write(() => migrateSteps(engine, part, steps))
}

/** The same as work for a transaction that writes. */
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

/** The schema that a store has; 0 when it has none. */
export async function storedVersion<Tables>(
  engine: SqlEngine<Tables>,
  part: SchemaPart,
): Promise<number> {
  return engine.read(() => versionSteps(engine, part))
}

/** The same as work for a transaction. */
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
    `the store has schema ${stored}, and this version of Palimpsest knows ${newest}: update Palimpsest, or use another store`,
  )
}
