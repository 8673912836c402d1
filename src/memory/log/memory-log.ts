import type { KeyObject } from 'node:crypto'
import type { LoggedEvent, MemoryEvent } from '../state/event.ts'

/** Whose events a log holds, and the key of its store. */
export interface LogOptions {
  /** The name of the owner's token. Null, the default: everyone with access to the store shares the events. */
  readonly owner?: string | null | undefined
  readonly key?: KeyObject | undefined
}

/** A position in a log. A reader whose `generation` differs from the log's must read everything again. */
export interface LogPosition {
  /** Sequence of the newest event; 0 for an empty log. */
  readonly sequence: number
  /** Counts how often history was rewritten. */
  readonly generation: number
}

export interface LogRead extends LogPosition {
  /** The events after the position asked for, or all of them when the generation has changed. */
  readonly events: readonly LoggedEvent[]
}

/**
 * Stores the events of a memory. Writes are synchronous and durable on return, or at `save` when the log has it.
 * Several processes may use one log.
 */
export interface MemoryLog {
  read(known: LogPosition): LogRead
  /**
   * Appends the events that `decide` returns, all or nothing, while no other process appends. `decide` gets the events
   * after `known`; when it throws, nothing is written.
   */
  append(known: LogPosition, decide: (news: LogRead) => readonly MemoryEvent[]): LogRead
  /** Edits every event (null removes it), then appends. No copy of the old events stays in any file. */
  rewrite(
    edit: (event: MemoryEvent) => MemoryEvent | null,
    append: readonly MemoryEvent[],
  ): LogPosition
  /** Saves what was written and reads what other processes wrote. May call `decide` again before it returns. */
  save?(): Promise<void>
  /** Runs work that fails with `store-locked` instead of waiting for another process. Left out where nothing waits. */
  withoutWaiting?<Result>(work: () => Result): Result
  close(): void
}

/** A log that is lost when the process ends. */
export function createInMemoryLog(initial: readonly LoggedEvent[] = []): MemoryLog {
  let events: LoggedEvent[] = [...initial]
  let sequence = initial.at(-1)?.sequence ?? 0
  let generation = 0
  const read = (known: LogPosition): LogRead => ({
    sequence,
    generation,
    events:
      known.generation === generation
        ? events.filter((event) => event.sequence > known.sequence)
        : events,
  })
  const push = (added: readonly MemoryEvent[]): void => {
    for (const event of added) events.push({ sequence: ++sequence, event })
  }
  return {
    read,
    append(known, decide) {
      push(decide(read(known)))
      return read(known)
    },
    rewrite(edit, append) {
      events = events.flatMap(({ sequence: at, event }) => {
        const edited = edit(event)
        return edited === null ? [] : [{ sequence: at, event: edited }]
      })
      push(append)
      generation++
      return { sequence, generation }
    },
    close() {},
  }
}
