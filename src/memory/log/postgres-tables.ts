import { sql } from 'kysely'
import { columnTypes, type Migration } from '../../store/migrate.ts'
import type { SqlEngine } from '../../store/sql/engine.ts'
import { rowsOf, type Steps } from '../../store/sql/steps.ts'
import type { MemoryEvent } from '../state/event.ts'
import { parseEvent } from './stored-event.ts'

/** The tables of a memory in a server that many share. */
export interface MemoryTables {
  readonly memory_events: { readonly sequence: number; readonly body: string }
  readonly memory_log: { readonly only: number; readonly generation: number }
}

export const firstVersion: Migration = {
  version: 1,
  *up(db, engine) {
    const types = columnTypes(engine.name)
    yield* rowsOf(
      db.schema
        .createTable('memory_events')
        .addColumn('sequence', types.onceOnlyId)
        .addColumn('body', 'text', (column) => column.notNull()),
    )
    yield* rowsOf(
      db.schema
        .createTable('memory_log')
        .addColumn('only', 'integer', (column) => column.primaryKey())
        .addColumn('generation', 'integer', (column) => column.notNull()),
    )
    yield* rowsOf(db.insertInto('memory_log').values({ only: 1, generation: 1 }))
  },
}

/** Replaces each event by what `edit` makes of it, and lets every reader start over. */
export function* rewriteRows(
  engine: SqlEngine<MemoryTables>,
  edit: (event: MemoryEvent) => MemoryEvent | null,
): Steps<void> {
  const { db } = engine
  for (const { sequence, body } of yield* rowsOf(db.selectFrom('memory_events').selectAll())) {
    const event = parseEvent(body)
    const next = edit(event)
    if (next === event) continue
    if (next === null)
      yield* rowsOf(db.deleteFrom('memory_events').where('sequence', '=', sequence))
    else
      yield* rowsOf(
        db
          .updateTable('memory_events')
          .set({ body: JSON.stringify(next) })
          .where('sequence', '=', sequence),
      )
  }
  yield* rowsOf(db.updateTable('memory_log').set({ generation: sql`generation + 1` }))
}
