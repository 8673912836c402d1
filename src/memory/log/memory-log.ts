import type { LoggedEvent, MemoryEvent } from '../state/event.ts'

/** What a log knows of itself: a reader that finds another `generation` than its own starts over. */
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
 * Where the events of a memory are kept. Everything is synchronous, and durable on return, or at `save` where there is
 * one. Several processes may use one log.
 */
export interface MemoryLog {
  read(known: LogPosition): LogRead
  /**
   * Appends what `decide` returns, all or nothing, while nobody else appends. `decide` is given what has been appended
   * since `known`; when it throws, nothing is written.
   */
  append(known: LogPosition, decide: (news: LogRead) => readonly MemoryEvent[]): LogRead
  /**
   * Replaces each event by what `edit` makes of it, null leaving it out, then appends; no copy of what was there before
   * stays behind.
   */
  rewrite(
    edit: (event: MemoryEvent) => MemoryEvent | null,
    append: readonly MemoryEvent[],
  ): LogPosition
  /** Makes durable what was written, and takes in what others wrote. `decide` may be asked again before it returns. */
  save?(): Promise<void>
  close(): void
}

/** A log that lives as long as the process. */
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
