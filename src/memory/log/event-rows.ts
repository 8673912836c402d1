import { type Kysely, sql } from 'kysely'
import type { Sealing } from '../../store/sealing.ts'
import { firstOf, rowsOf, type Statement, type Steps } from '../../store/sql/steps.ts'
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

/** The table with an owner's events. The events of the owner null are shared by everyone with access to the store. */
export function eventTable(owner: string | null): 'memory_events' | 'own_memory_events' {
  return owner === null ? 'memory_events' : 'own_memory_events'
}

export function eventRows(
  db: Kysely<MemoryTables>,
  owner: string | null,
  sealing: Sealing,
): EventRows {
  // Every access to the memory reads the log, so these two are built once.
  const selectGeneration = generationQuery(db, owner)
  const selectAfter = afterQuery(db, owner)
  const table = eventTable(owner)
  const rows: EventRows = {
    *generation() {
      const [row] = (yield selectGeneration) as readonly { readonly generation: number }[]
      return Number(row?.generation ?? 1)
    },
    *after(sequence) {
      const parameters = owner === null ? [sequence] : [sequence, owner]
      const found = yield { sql: selectAfter.sql, parameters }
      return (found as readonly { readonly sequence: number; readonly body: string }[]).map(
        (row) => ({
          sequence: Number(row.sequence),
          event: parseEvent(sealing.openText(row.body)),
        }),
      )
    },
    *insert(events) {
      let last: number | undefined
      for (const event of events) {
        const body = sealing.sealText(JSON.stringify(event))
        const insert =
          owner === null
            ? db.insertInto('memory_events').values({ body }).returning('sequence')
            : db.insertInto('own_memory_events').values({ owner, body }).returning('sequence')
        last = (yield* firstOf<{ readonly sequence: number }>(insert))?.sequence
      }
      return last
    },
    *rewrite(edit) {
      for (const { sequence, event } of yield* rows.after(0)) {
        const edited = edit(event)
        if (edited === event) continue
        if (edited === null) yield* rowsOf(db.deleteFrom(table).where('sequence', '=', sequence))
        else
          yield* rowsOf(
            db
              .updateTable(table)
              .set({ body: sealing.sealText(JSON.stringify(edited)) })
              .where('sequence', '=', sequence),
          )
      }
      yield renewQuery(db, owner)
    },
  }
  return rows
}

function generationQuery(db: Kysely<MemoryTables>, owner: string | null): Statement {
  return owner === null
    ? db.selectFrom('memory_log').select('generation').compile()
    : db.selectFrom('own_memory_log').select('generation').where('owner', '=', owner).compile()
}

function afterQuery(db: Kysely<MemoryTables>, owner: string | null): Statement {
  const columns = ['sequence', 'body'] as const
  return owner === null
    ? db
        .selectFrom('memory_events')
        .select(columns)
        .where('sequence', '>', 0)
        .orderBy('sequence')
        .compile()
    : db
        .selectFrom('own_memory_events')
        .select(columns)
        .where('sequence', '>', 0)
        .where('owner', '=', owner)
        .orderBy('sequence')
        .compile()
}

/** Increments the generation. */
function renewQuery(db: Kysely<MemoryTables>, owner: string | null): Statement {
  const next = { generation: sql<number>`generation + 1` }
  if (owner === null) return db.updateTable('memory_log').set(next).compile()
  return db
    .insertInto('own_memory_log')
    .values({ owner, generation: 2 })
    .onConflict((conflict) =>
      conflict
        .column('owner')
        .doUpdateSet((eb) => ({ generation: eb('own_memory_log.generation', '+', 1) })),
    )
    .compile()
}
