import { rowsOf } from '../sql/steps.ts'
import { columnTypes, type Migration } from './migration.ts'

/** The memory of each holder of a named token, apart from the memory that belongs to the store. */
export const ownMemory1: Migration = {
  part: 'own memory',
  version: 1,
  *up(db, { name }) {
    const { onceOnlyId, keyOnly } = columnTypes(name)
    yield* rowsOf(
      db.schema
        .createTable('own_memory_events')
        .addColumn('sequence', onceOnlyId)
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull()),
    )
    yield* rowsOf(
      db.schema
        .createIndex('own_memory_events_owner')
        .on('own_memory_events')
        .columns(['owner', 'sequence']),
    )
    yield* rowsOf(
      db.schema
        .createTable('own_memory_log')
        .addColumn('owner', 'text', (column) => column.primaryKey())
        .addColumn('generation', 'integer', (column) => column.notNull())
        .modifyEnd(keyOnly),
    )
  },
}
