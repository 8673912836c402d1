import { PalimpsestError } from '../../core/words/errors.ts'
import { memoryPart, migrate } from '../../store/migrate.ts'
import { openPostgres } from '../../store/postgres/open.ts'
import { createQueue } from '../../store/queue.ts'
import { openSealing } from '../../store/seal-row.ts'
import type { Sealing } from '../../store/sealing.ts'
import type { SqlEngine } from '../../store/sql/engine.ts'
import type { Steps } from '../../store/sql/steps.ts'
import type { MemoryTables } from '../../store/tables.ts'
import type { LoggedEvent, MemoryEvent } from '../state/event.ts'
import { type EventRows, eventRows, eventTable } from './event-rows.ts'
import { areIndependent } from './independent-events.ts'
import type { LogOptions, LogPosition, LogRead, MemoryLog } from './memory-log.ts'

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
 * The log in a shared PostgreSQL. Writes are decided on the events known here and are durable after `save`, which reads
 * what other processes wrote and decides again where necessary.
 */
export async function openPostgresLog(
  url: string,
  { owner = null, key }: LogOptions = {},
): Promise<MemoryLog> {
  const engine = await openPostgres<MemoryTables>(url)
  try {
    await migrate(engine, memoryPart(owner))
    const log = new PostgresLog(engine, owner, await openSealing(engine, key))
    await log.save()
    return log
  } catch (error) {
    await engine.close().catch(() => {})
    throw engine.explain(error) ?? error
  }
}

class PostgresLog implements MemoryLog {
  readonly #engine: SqlEngine<MemoryTables>
  readonly #rows: EventRows
  readonly #owner: string | null
  /** The events on the server when it was last read. */
  #saved: readonly MemoryEvent[] = []
  #server: LogPosition = { sequence: 0, generation: 0 }
  /** The saved events and those that wait for `save`, numbered for this process. */
  #view: LoggedEvent[] = []
  #generation = 1
  #operations: Operation[] = []
  readonly #saves = createQueue()

  constructor(engine: SqlEngine<MemoryTables>, owner: string | null, sealing: Sealing) {
    this.#engine = engine
    this.#owner = owner
    this.#rows = eventRows(engine.db, owner, sealing)
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
    this.#rewriteView(edit, append)
    return { sequence: this.#view.length, generation: this.#generation }
  }

  /** Saves run one after the other; two at once would write the same events twice. */
  save(): Promise<void> {
    return this.#saves.run(() => this.#saveNow())
  }

  async #saveNow(): Promise<void> {
    const operations = [...this.#operations]
    const refused: unknown[] = []
    const outcome = await this.#engine
      .write(() => {
        // A retried transaction starts over.
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
    // Events that were added meanwhile stay visible and wait for the next save.
    if (outcome.changed)
      this.#renew(this.#operations.reduce<readonly MemoryEvent[]>(applied, outcome.events))
    else this.#show(outcome.news)
    if (operations.some(({ kind }) => kind === 'rewrite')) await this.#scrub()
    if (refused.length > 0) throw refused[0]
  }

  /** Removes forgotten text from the files of the table. */
  async #scrub(): Promise<void> {
    try {
      await this.#engine.reclaim([eventTable(this.#owner)])
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
    /** The history that was known here has changed, so readers must start over. */
    readonly changed: boolean
    /** What other processes wrote, when it only adds to what is known here. */
    readonly news: readonly MemoryEvent[]
  }> {
    yield* this.#engine.lock(
      this.#owner === null ? 'memory' : `memory of ${this.#owner}`,
      'exclusive',
    )
    let generation = yield* this.#rows.generation()
    const rewritten = generation !== this.#server.generation
    const known = rewritten ? 0 : this.#server.sequence
    const logged = yield* this.#rows.after(known)
    const news = logged.map(({ event }) => event)
    const changed = rewritten || !areIndependent(operations.flatMap(decidedBefore), news)
    let events = rewritten ? news : [...this.#saved, ...news]
    if (changed) this.#renew(events)
    let sequence = logged.at(-1)?.sequence ?? known
    for (const operation of operations) {
      const added = changed ? this.#again(operation, refused) : decidedBefore(operation)
      if (operation.kind === 'rewrite') {
        yield* this.#rows.rewrite(operation.edit)
        generation++
        events = [...edited(events, operation.edit)]
      }
      sequence = (yield* this.#rows.insert(added)) ?? sequence
      events = [...events, ...added]
    }
    return { events, position: { sequence, generation }, changed, news: changed ? [] : news }
  }

  /** Decides again on the server's current events. A decision that is now refused is left out and reported by `save`. */
  #again(operation: Operation, refused: unknown[]): readonly MemoryEvent[] {
    if (operation.kind === 'rewrite') {
      this.#rewriteView(operation.edit, operation.append)
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

  #rewriteView(
    edit: (event: MemoryEvent) => MemoryEvent | null,
    append: readonly MemoryEvent[],
  ): void {
    const events = this.#view.map(({ event }) => event)
    this.#renew([...edited(events, edit), ...append])
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
