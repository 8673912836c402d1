import { sql } from 'kysely'
import { rowsOf } from '../sql/steps.ts'
import { columnTypes, type Migration } from './migration.ts'

/** Receipts, statistics, the last message of the last request, and indexes of the originals. */
export const sessions2: Migration = {
  part: 'sessions',
  version: 2,
  *up(db, engine) {
    const { key, keyOnly } = columnTypes(engine.name)
    yield* rowsOf(
      db.schema
        .alterTable('sessions')
        .addColumn('receipts', 'integer', (column) => column.notNull().defaultTo(0)),
    )
    for (const column of ['head', 'last_block']) {
      yield* rowsOf(db.schema.alterTable('sessions').addColumn(column, key))
    }
    // Schema 1 assumed that the last request ends with the newest message.
    yield* rowsOf(
      db
        .withTables<{ sessions: { readonly head: number | null; readonly messages: number } }>()
        .updateTable('sessions')
        .set({ head: sql`messages - 1` })
        .where('messages', '>', 0),
    )
    yield* rowsOf(
      db.schema
        .createTable('statistics')
        .addColumn('session', key, (column) =>
          column.notNull().references('sessions.number').onDelete('cascade'),
        )
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('value', 'double precision', (column) => column.notNull())
        .addPrimaryKeyConstraint('statistics_key', ['session', 'name'])
        .modifyEnd(keyOnly),
    )
    yield* rowsOf(db.schema.createIndex('items_original').on('items').column('original'))
    yield* rowsOf(db.schema.createIndex('originals_block').on('originals').column('block'))
  },
}
