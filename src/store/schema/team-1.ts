import { rowsOf } from '../sql/steps.ts'
import { columnTypes, type Migration } from './migration.ts'

/** Named tokens, the owners of sessions, and which gateway does a job for all. */
export const team1: Migration = {
  part: 'team',
  version: 1,
  *up(db, { name }) {
    const { key, keyOnly } = columnTypes(name)
    yield* rowsOf(
      db.schema
        .createTable('tokens')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .modifyEnd(keyOnly),
    )
    yield* rowsOf(
      db.schema
        .createTable('owners')
        .addColumn('session', key, (column) =>
          column.primaryKey().references('sessions.number').onDelete('cascade'),
        )
        .addColumn('owner', 'text', (column) => column.notNull())
        .modifyEnd(keyOnly),
    )
    yield* rowsOf(db.schema.createIndex('owners_owner').on('owners').column('owner'))
    yield* rowsOf(
      db.schema
        .createTable('claims')
        .addColumn('job', 'text', (column) => column.primaryKey())
        .addColumn('until', 'bigint', (column) => column.notNull())
        .modifyEnd(keyOnly),
    )
  },
}
