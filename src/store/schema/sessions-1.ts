import { type Kysely, sql } from 'kysely'
import { rowsOf, type Steps } from '../sql/steps.ts'
import { type ColumnTypes, columnTypes, type Migration, type SchemaTable } from './migration.ts'

/** Sessions, the blocks that were appended to them, originals by content, items by handle. */
export const sessions1: Migration = {
  part: 'sessions',
  version: 1,
  *up(db, engine) {
    const types = columnTypes(engine.name)
    yield* createSessions(db, types)
    yield* createBlocks(db, types)
    yield* createOriginals(db, types)
    yield* createItems(db, types)
    if (engine.schema !== null) {
      // The data is compressed already.
      const blocks = sql.id(engine.schema, 'blocks')
      yield sql`alter table ${blocks} alter column data set storage external`.compile(db)
    }
  },
}

function* createSessions(db: Kysely<SchemaTable>, { onceOnlyId }: ColumnTypes): Steps<void> {
  yield* rowsOf(
    db.schema
      .createTable('sessions')
      .addColumn('number', onceOnlyId)
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('credential', 'text', (column) => column.notNull())
      .addColumn('parent', 'text')
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint', (column) => column.notNull())
      .addColumn('messages', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('ledger', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('entries', 'integer', (column) => column.notNull().defaultTo(0))
      .addUniqueConstraint('sessions_key', ['id', 'credential']),
  )
}

function* createBlocks(db: Kysely<SchemaTable>, { bytes, key, id }: ColumnTypes): Steps<void> {
  yield* rowsOf(
    db.schema
      .createTable('blocks')
      .addColumn('id', id)
      .addColumn('session', key, (column) =>
        column.notNull().references('sessions.number').onDelete('cascade'),
      )
      .addColumn('chain', key)
      .addColumn('body_start', 'integer', (column) => column.notNull())
      .addColumn('messages', 'integer', (column) => column.notNull())
      .addColumn('ledger', 'integer', (column) => column.notNull())
      .addColumn('entries', 'integer', (column) => column.notNull())
      .addColumn('data', bytes, (column) => column.notNull()),
  )
  yield* rowsOf(db.schema.createIndex('blocks_session').on('blocks').columns(['session', 'id']))
}

function* createOriginals(db: Kysely<SchemaTable>, { bytes, key, id }: ColumnTypes): Steps<void> {
  yield* rowsOf(
    db.schema
      .createTable('originals')
      .addColumn('id', id)
      .addColumn('hash', bytes, (column) => column.notNull().unique())
      .addColumn('block', key, (column) => column.notNull().references('blocks.id'))
      .addColumn('start', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('form', 'smallint', (column) => column.notNull())
      .addColumn('characters', 'integer', (column) => column.notNull()),
  )
}

function* createItems(db: Kysely<SchemaTable>, { key, keyOnly }: ColumnTypes): Steps<void> {
  yield* rowsOf(
    db.schema
      .createTable('items')
      .addColumn('session', key, (column) =>
        column.notNull().references('sessions.number').onDelete('cascade'),
      )
      .addColumn('message', 'integer', (column) => column.notNull())
      .addColumn('ordinal', 'integer', (column) => column.notNull())
      .addColumn('handle', 'text', (column) => column.notNull())
      .addColumn('original', key, (column) => column.notNull().references('originals.id'))
      .addPrimaryKeyConstraint('items_key', ['session', 'message', 'ordinal'])
      .modifyEnd(keyOnly),
  )
  yield* rowsOf(db.schema.createIndex('items_handle').on('items').column('handle'))
}
