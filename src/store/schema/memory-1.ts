import { sql } from 'kysely'
import { rowsOf } from '../sql/steps.ts'
import type { MemoryTables } from '../tables.ts'
import { columnTypes, type Migration } from './migration.ts'

/** The memory events, and how often they were rewritten. */
export const memory1: Migration = {
  part: 'memory',
  version: 1,
  *up(db, { name }) {
    yield* rowsOf(
      db.schema
        .createTable('memory_events')
        .addColumn('sequence', columnTypes(name).onceOnlyId)
        .addColumn('body', 'text', (column) => column.notNull()),
    )
    yield* rowsOf(
      db.schema
        .createTable('memory_log')
        .addColumn('only', 'integer', (column) =>
          name === 'sqlite' ? column.primaryKey().check(sql`only = 1`) : column.primaryKey(),
        )
        .addColumn('generation', 'integer', (column) => column.notNull()),
    )
    const tables = db.withTables<Pick<MemoryTables, 'memory_log'>>()
    yield* rowsOf(tables.insertInto('memory_log').values({ only: 1, generation: 1 }))
  },
}
