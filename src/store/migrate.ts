import type { Kysely } from 'kysely'
import { PalimpsestError } from '../core/words/errors.ts'
import { migrations } from './schema/index.ts'
import type { Migration, SchemaPart, SchemaTable } from './schema/migration.ts'
import type { SqlEngine } from './sql/engine.ts'
import { queriesFor, rowsOf, type Steps } from './sql/steps.ts'

export interface Migrated {
  /** 0 for a new store. */
  readonly from: number
  readonly to: number
}

type MigratedEngine = Pick<SqlEngine<unknown>, 'name' | 'schema' | 'lock' | 'hasTable'>

/** The part with the memory of an owner; null: with the memory that has no owner. */
export function memoryPart(owner: string | null): SchemaPart {
  return owner === null ? 'memory' : 'own memory'
}

/** The schema version after `migrate`. */
export function newestVersion(part: SchemaPart, steps: readonly Migration[] = migrations): number {
  return Math.max(0, ...steps.flatMap((step) => (step.part === part ? [step.version] : [])))
}

/**
 * Migrates a part to its newest schema in one transaction. When several processes call it, one migrates and the others
 * wait. A store with a newer schema is left as it is, and refused when this version cannot work with it.
 */
export async function migrate<Tables>(
  engine: SqlEngine<Tables>,
  part: SchemaPart,
  steps: readonly Migration[] = migrations,
): Promise<Migrated> {
  const newest = newestVersion(part, steps)
  const stored = await storedSchema(engine, part)
  refuseNewer(stored, newest)
  // Takes no lock when there is nothing to do.
  if (stored.version >= newest) return { from: stored.version, to: stored.version }
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
  const stored = yield* schemaIn(db, part)
  refuseNewer(stored, newest)
  const { version: from } = stored
  if (from >= newest) return { from, to: from }
  let { worksFrom } = stored
  for (const step of steps) {
    if (step.part !== part || step.version <= from) continue
    yield* step.up(db, engine)
    worksFrom = Math.max(worksFrom, step.worksFrom ?? step.version)
  }
  if (stored.isSealed !== true) {
    yield* rowsOf(db.deleteFrom('palimpsest_schema').where('part', '=', worksFromRow(part)))
    if (worksFrom < newest) {
      const row = { part: worksFromRow(part), version: worksFrom }
      yield* rowsOf(db.insertInto('palimpsest_schema').values(row))
    }
  }
  yield* rowsOf(
    db
      .insertInto('palimpsest_schema')
      .values({ part, version: newest })
      .onConflict((conflict) => conflict.column('part').doUpdateSet({ version: newest })),
  )
  return { from, to: newest }
}

/** The schema of a store. */
export interface StoredSchema {
  /** 0 when it has none. */
  readonly version: number
  /** The oldest version whose programs can work with it. */
  readonly worksFrom: number
  /** The row for older versions says that it is encrypted, and stays as it is. */
  readonly isSealed?: boolean
}

export async function storedSchema<Tables>(
  engine: SqlEngine<Tables>,
  part: SchemaPart,
): Promise<StoredSchema> {
  return engine.read(() => schemaSteps(engine, part))
}

/** `storedSchema` inside a transaction. */
export function* schemaSteps(engine: MigratedEngine, part: SchemaPart): Steps<StoredSchema> {
  if (!(yield* engine.hasTable('palimpsest_schema'))) return { version: 0, worksFrom: 0 }
  return yield* schemaIn(queriesFor<SchemaTable>(engine.name, engine.schema), part)
}

/** What an encrypted store says to versions that cannot read it. */
const sealedWorksFrom = 1_000

/** Makes versions without encryption refuse the store. */
export function* markSealed(engine: Pick<MigratedEngine, 'name' | 'schema'>): Steps<void> {
  const db = queriesFor<SchemaTable>(engine.name, engine.schema)
  for (const part of new Set(migrations.map((step) => step.part)))
    yield* rowsOf(
      db
        .insertInto('palimpsest_schema')
        .values({ part: worksFromRow(part), version: sealedWorksFrom })
        .onConflict((conflict) =>
          conflict.column('part').doUpdateSet({ version: sealedWorksFrom }),
        ),
    )
}

function worksFromRow(part: SchemaPart): string {
  return `${part} works from`
}

function* schemaIn(db: Kysely<SchemaTable>, part: SchemaPart): Steps<StoredSchema> {
  const rows = yield* rowsOf(
    db
      .selectFrom('palimpsest_schema')
      .select(['part', 'version'])
      .where('part', 'in', [part, worksFromRow(part)]),
  )
  const versionOf = (name: string): number | undefined =>
    rows.find((row) => row.part === name)?.version
  const version = versionOf(part) ?? 0
  const worksFrom = versionOf(worksFromRow(part)) ?? version
  const isSealed = worksFrom === sealedWorksFrom
  return { version, worksFrom: isSealed ? version : worksFrom, isSealed }
}

/** @throws PalimpsestError with code `store-version`. */
export function refuseNewer({ version, worksFrom }: StoredSchema, newest: number): void {
  if (worksFrom <= newest) return
  throw new PalimpsestError(
    'store-version',
    `the store has schema ${version}, but this version of Palimpsest supports schemas up to ${newest}: update Palimpsest, or use another store`,
  )
}
