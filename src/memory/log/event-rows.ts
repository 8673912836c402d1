import { type Kysely, sql } from 'kysely'
import { firstOf, rowsOf, type Steps } from '../../store/sql/steps.ts'
import type { MemoryTables } from '../../store/tables.ts'
import type { LoggedEvent, MemoryEvent } from '../state/event.ts'
import { parseEvent } from './stored-event.ts'

/** The rows of the log, for both databases. */
export interface EventRows {
  generation(): Steps<number>
  /** The events after a sequence number, in order. */
  after(sequence: number): Steps<readonly LoggedEvent[]>
  /** Appends events. Returns the sequence number of the last; undefined when there are none. */
  insert(events: readonly MemoryEvent[]): Steps<number | undefined>
  /** Replaces each event by the result of `edit`; null removes it. All readers then start over. */
  rewrite(edit: (event: MemoryEvent) => MemoryEvent | null): Steps<void>
}

export function eventRows(db: Kysely<MemoryTables>): EventRows {
  // Every access to the memory reads the log, so these two are built once.
  const selectGeneration = db.selectFrom('memory_log').select('generation').compile()
  const selectAfter = db
    .selectFrom('memory_events')
    .select(['sequence', 'body'])
    .where('sequence', '>', 0)
    .orderBy('sequence')
    .compile()
  const rows: EventRows = {
    *generation() {
      const [row] = (yield selectGeneration) as readonly { readonly generation: number }[]
      return Number(row?.generation ?? 1)
    },
    *after(sequence) {
      const found = yield { sql: selectAfter.sql, parameters: [sequence] }
      return (found as readonly { readonly sequence: number; readonly body: string }[]).map(
        (row) => ({
          sequence: Number(row.sequence),
          event: parseEvent(row.body),
        }),
      )
    },
    *insert(events) {
      let last: number | undefined
      for (const event of events) {
        const row = yield* firstOf(
          db
            .insertInto('memory_events')
            .values({ body: JSON.stringify(event) })
            .returning('sequence'),
        )
        last = row?.sequence
      }
      return last
    },
    *rewrite(edit) {
      for (const { sequence, event } of yield* rows.after(0)) {
        const edited = edit(event)
        if (edited === event) continue
        if (edited === null)
          yield* rowsOf(db.deleteFrom('memory_events').where('sequence', '=', sequence))
        else
          yield* rowsOf(
            db
              .updateTable('memory_events')
              .set({ body: JSON.stringify(edited) })
              .where('sequence', '=', sequence),
          )
      }
      yield* rowsOf(db.updateTable('memory_log').set({ generation: sql`generation + 1` }))
    },
  }
  return rows
}
