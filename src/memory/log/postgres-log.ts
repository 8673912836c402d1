import { PalimpsestError } from '../../core/words/errors.ts'
import { migrate } from '../../store/migrate.ts'
import { openPostgres } from '../../store/postgres/open.ts'
import type { SqlEngine } from '../../store/sql/engine.ts'
import { firstOf, rowsOf, type Steps } from '../../store/sql/steps.ts'
import type { LoggedEvent, MemoryEvent } from '../state/event.ts'
import { areIndependent } from './independent.ts'
import type { LogPosition, LogRead, MemoryLog } from './memory-log.ts'
import { firstVersion, type MemoryTables, rewriteRows } from './postgres-tables.ts'
import { parseEvent } from './stored-event.ts'

type Operation =
  | {
      readonly kind: 'append'
      readonly decide: Parameters<MemoryLog['append']>[1]
      events: readonly MemoryEvent[]
    }
  | {
      readonly kind: 'rewrite'
      readonly edit: (event: MemoryEvent) => MemoryEvent | null
      readonly append: readonly MemoryEvent[]
    }

/**
 * The log in a PostgreSQL that many share. What is written is decided on what is known here, and durable after `save`,
 * which takes in what others wrote meanwhile and decides again where that matters.
 */
export async function openPostgresLog(url: string): Promise<MemoryLog> {
  const engine = await openPostgres<MemoryTables>(url)
  try {
    await migrate(engine, 'memory', [firstVersion])
    const log = new PostgresLog(engine)
    await log.save()
    return log
  } catch (error) {
    await engine.close().catch(() => {})
    throw engine.explain(error) ?? error
  }
}

class PostgresLog implements MemoryLog {
  readonly #engine: SqlEngine<MemoryTables>
  /** What the server has, and where it stood when it was last asked. */
  #saved: readonly MemoryEvent[] = []
  #server: LogPosition = { sequence: 0, generation: 0 }
  /** The same with what waits for `save`, numbered for this process. */
  #view: LoggedEvent[] = []
  #generation = 1
  #operations: Operation[] = []
  #saving: Promise<void> = Promise.resolve()

  constructor(engine: SqlEngine<MemoryTables>) {
    this.#engine = engine
  }

  read(known: LogPosition): LogRead {
    const same = known.generation === this.#generation
    return {
      generation: this.#generation,
      sequence: this.#view.length,
      events: same ? this.#view.slice(known.sequence) : this.#view,
    }
  }

  append(known: LogPosition, decide: (news: LogRead) => readonly MemoryEvent[]): LogRead {
    const events = decide(this.read(known))
    if (events.length > 0) this.#operations.push({ kind: 'append', decide, events })
    this.#show(events)
    return this.read(known)
  }

  rewrite(
    edit: (event: MemoryEvent) => MemoryEvent | null,
    append: readonly MemoryEvent[],
  ): LogPosition {
    this.#operations.push({ kind: 'rewrite', edit, append })
    this.#renew(
      edited(
        this.#view.map(({ event }) => event),
        edit,
      ).concat(append),
    )
    return { sequence: this.#view.length, generation: this.#generation }
  }

  /** One after the other: each writes what has been decided by then, and nothing twice. */
  save(): Promise<void> {
    const saving = this.#saving.then(() => this.#saveNow())
    this.#saving = saving.catch(() => {})
    return saving
  }

  async #saveNow(): Promise<void> {
    const operations = [...this.#operations]
    const refused: unknown[] = []
    const outcome = await this.#engine
      .write(() => {
        // A transaction that is tried again starts from what the server said last time.
        refused.length = 0
        return this.#store(operations, refused)
      })
      .catch((error: unknown) => {
        this.#renew(operations.reduce<readonly MemoryEvent[]>(applied, this.#saved))
        throw this.#engine.explain(error) ?? error
      })
    this.#saved = outcome.events
    this.#server = outcome.position
    this.#operations = this.#operations.slice(operations.length)
    // What was written here meanwhile waits for the next time, and is seen until then.
    if (outcome.changed)
      this.#renew(this.#operations.reduce<readonly MemoryEvent[]>(applied, outcome.events))
    else this.#show(outcome.news)
    if (operations.some(({ kind }) => kind === 'rewrite')) await this.#scrub()
    if (refused.length > 0) throw refused[0]
  }

  /** What was forgotten leaves the table's file too. */
  async #scrub(): Promise<void> {
    try {
      await this.#engine.reclaim(['memory_events'])
    } catch (error) {
      throw this.#engine.explain(error) ?? error
    }
  }

  close(): void {
    void this.#engine.close()
  }

  *#store(
    operations: readonly Operation[],
    refused: unknown[],
  ): Steps<{
    readonly events: readonly MemoryEvent[]
    readonly position: LogPosition
    /** What was known here has become another history: whoever reads it starts over. */
    readonly changed: boolean
    /** What others wrote, where it only adds to what is known here. */
    readonly news: readonly MemoryEvent[]
  }> {
    const { db } = this.#engine
    yield* this.#engine.lock('memory', 'exclusive')
    const state = yield* firstOf(db.selectFrom('memory_log').select('generation'))
    let generation = state?.generation ?? 1
    const rewritten = generation !== this.#server.generation
    const rows = yield* rowsOf(
      db
        .selectFrom('memory_events')
        .selectAll()
        .where('sequence', '>', rewritten ? 0 : this.#server.sequence)
        .orderBy('sequence'),
    )
    const news = rows.map(({ body }) => parseEvent(body))
    const changed = rewritten || !areIndependent(operations.flatMap(decidedBefore), news)
    let events = rewritten ? news : [...this.#saved, ...news]
    if (changed) this.#renew(events)
    let sequence = rows.at(-1)?.sequence ?? (rewritten ? 0 : this.#server.sequence)
    for (const operation of operations) {
      const added = changed ? this.#again(operation, refused) : decidedBefore(operation)
      if (operation.kind === 'rewrite') {
        yield* rewriteRows(this.#engine, operation.edit)
        generation++
        events = [...edited(events, operation.edit)]
      }
      for (const event of added) {
        const row = yield* firstOf(
          db
            .insertInto('memory_events')
            .values({ body: JSON.stringify(event) } as never)
            .returning('sequence'),
        )
        sequence = row?.sequence ?? sequence
      }
      events = [...events, ...added]
    }
    return { events, position: { sequence, generation }, changed, news: changed ? [] : news }
  }

  /** Decides once more, on what the server has now. What is refused then is left out, and reported by `save`. */
  #again(operation: Operation, refused: unknown[]): readonly MemoryEvent[] {
    if (operation.kind === 'rewrite') {
      this.#renew(
        edited(
          this.#view.map(({ event }) => event),
          operation.edit,
        ).concat(operation.append),
      )
      return operation.append
    }
    try {
      const events = operation.decide(this.read({ sequence: 0, generation: -1 }))
      this.#show(events)
      return events
    } catch (error) {
      if (!PalimpsestError.is(error)) throw error
      refused.push(error)
      return []
    }
  }

  #show(events: readonly MemoryEvent[]): void {
    for (const event of events) this.#view.push({ sequence: this.#view.length + 1, event })
  }

  #renew(events: readonly MemoryEvent[]): void {
    this.#view = []
    this.#generation++
    this.#show(events)
  }
}

function applied(events: readonly MemoryEvent[], operation: Operation): MemoryEvent[] {
  const before = operation.kind === 'append' ? [...events] : edited(events, operation.edit)
  return [...before, ...decidedBefore(operation)]
}

function decidedBefore(operation: Operation): readonly MemoryEvent[] {
  return operation.kind === 'append' ? operation.events : operation.append
}

function edited(
  events: readonly MemoryEvent[],
  edit: (event: MemoryEvent) => MemoryEvent | null,
): MemoryEvent[] {
  return events.flatMap((event) => edit(event) ?? [])
}
