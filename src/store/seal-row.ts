import type { KeyObject } from 'node:crypto'
import { markSealed } from './migrate.ts'
import { Sealing, type SealRow } from './sealing.ts'
import type { SqlEngine } from './sql/engine.ts'
import { firstOf, queriesFor, rowsOf, type Steps } from './sql/steps.ts'

interface SealTables {
  readonly encryption: SealRow & { readonly id: number }
}

type SealedEngine = Pick<SqlEngine<unknown>, 'name' | 'schema' | 'lock' | 'hasTable'>

/** The sealing of an open store, or null when it gets its key first: then `startSealing` is to be run in a writing transaction. */
export function* sealingOf(
  engine: SealedEngine,
  key: KeyObject | undefined,
): Steps<Sealing | null> {
  const row = yield* sealRow(engine)
  if (row !== undefined) return new Sealing(key, row)
  return key === undefined ? new Sealing() : null
}

/** Encrypts everything that is written from now on with this key. */
export function* startSealing(engine: SealedEngine, key: KeyObject): Steps<Sealing> {
  yield* engine.lock('migrate', 'exclusive')
  const known = yield* sealRow(engine)
  if (known !== undefined) return new Sealing(key, known)
  const db = queriesFor<SealTables>(engine.name, engine.schema)
  yield* rowsOf(
    db.schema
      .createTable('encryption')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('salt', 'text', (column) => column.notNull())
      .addColumn('proof', 'text', (column) => column.notNull()),
  )
  const row = Sealing.rowFor(key)
  yield* rowsOf(db.insertInto('encryption').values({ id: 1, ...row }))
  yield* markSealed(engine)
  return new Sealing(key, row)
}

function* sealRow(engine: SealedEngine): Steps<SealRow | undefined> {
  if (!(yield* engine.hasTable('encryption'))) return undefined
  const db = queriesFor<SealTables>(engine.name, engine.schema)
  return yield* firstOf(db.selectFrom('encryption').select(['salt', 'proof']))
}

/** Opens the sealing of a store whose tables exist. */
export async function openSealing<Tables>(
  engine: SqlEngine<Tables>,
  key: KeyObject | undefined,
): Promise<Sealing> {
  const sealing = await engine.read(() => sealingOf(engine, key))
  if (sealing !== null || key === undefined) return sealing ?? new Sealing()
  return engine.write(() => startSealing(engine, key))
}
