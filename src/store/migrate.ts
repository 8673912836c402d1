import { type Kysely, sql } from 'kysely'
import { PalimpsestError } from '../core/words/errors.ts'
import type { SqlEngine } from './sql/engine.ts'
import { firstOf, rowsOf, type Steps } from './sql/steps.ts'

/** One step from the schema before it. Steps are never changed once they are released. */
export interface Migration {
  readonly version: number
  // biome-ignore lint/suspicious/noExplicitAny: a step sees the tables of its own time, not those of today.
  up(db: Kysely<any>, engine: Pick<SqlEngine<unknown>, 'name' | 'schema'>): Steps<void>
}

export interface Migrated {
  /** 0: there was nothing. */
  readonly from: number
  readonly to: number
}

interface SchemaTable {
  readonly palimpsest_schema: { readonly part: string; readonly version: number }
}

/**
 * Brings the tables of one part (sessions, memory, …) to its newest schema, all steps or none. Several processes may
 * call it at once: one does it, the others wait. A store that is newer than the steps is refused, untouched.
 */
export async function migrate<Tables>(
  engine: SqlEngine<Tables>,
  part: string,
  steps: readonly Migration[],
): Promise<Migrated> {
  const newest = steps.at(-1)?.version ?? 0
  const before = await storedVersion(engine, part)
  refuseNewer(before, newest)
  // The usual case takes no lock.
  if (before === newest) return { from: before, to: newest }
  const db = engine.db as unknown as Kysely<SchemaTable>
  return engine.write(function* () {
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
    for (const step of steps) {
      if (step.version > from) yield* step.up(db, engine)
    }
    yield* rowsOf(
      db
        .insertInto('palimpsest_schema')
        .values({ part, version: newest })
        .onConflict((conflict) => conflict.column('part').doUpdateSet({ version: newest })),
    )
    return { from, to: newest }
  })
}

/** The schema that a store has; 0 when it has none. */
export async function storedVersion<Tables>(
  engine: SqlEngine<Tables>,
  part: string,
): Promise<number> {
  const db = engine.db as unknown as Kysely<SchemaTable>
  return engine.read(function* () {
    return (yield* engine.hasTable('palimpsest_schema')) ? yield* versionIn(db, part) : 0
  })
}

function* versionIn(db: Kysely<SchemaTable>, part: string): Steps<number> {
  const row = yield* firstOf(
    db.selectFrom('palimpsest_schema').select('version').where('part', '=', part),
  )
  return row?.version ?? 0
}

function refuseNewer(stored: number, newest: number): void {
  if (stored <= newest) return
  throw new PalimpsestError(
    'store-version',
    `the store has schema ${stored}, and this version of Palimpsest knows ${newest}: update Palimpsest, or use another store`,
  )
}

/** The types that the engines spell differently. */
export function columnTypes(engine: 'sqlite' | 'postgres'): ColumnTypes {
  return engine === 'sqlite'
    ? {
        bytes: 'blob',
        key: sql`integer`,
        id: sql`integer primary key`,
        onceOnlyId: sql`integer primary key autoincrement`,
        keyOnly: sql`without rowid`,
      }
    : {
        bytes: 'bytea',
        key: sql`bigint`,
        id: sql`bigint generated always as identity primary key`,
        onceOnlyId: sql`bigint generated always as identity primary key`,
        keyOnly: sql``,
      }
}

export interface ColumnTypes {
  readonly bytes: 'blob' | 'bytea'
  readonly key: ReturnType<typeof sql>
  readonly id: ReturnType<typeof sql>
  /** A number that is not given to another row when its own is deleted. */
  readonly onceOnlyId: ReturnType<typeof sql>
  /** Ends a table that is found by its primary key alone. */
  readonly keyOnly: ReturnType<typeof sql>
}
