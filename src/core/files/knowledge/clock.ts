import type { Line } from '../text/line-list.ts'
import type { Moment } from '../text/version.ts'

/** Counts the moments of a session and the identities of its lines. */
export interface Clock {
  order: number
  /** The newest doubt that was ever asked for. */
  newestDoubt: number
  /** How many lines have an identity. */
  ids: number
  /**
   * By line, the younger lines that hold what was left of it when a change replaced a part of it. What the change itself
   * shows is only what it put in.
   */
  readonly successors: Map<number, readonly number[]>
}

export function createClock(): Clock {
  return { order: 0, newestDoubt: 0, ids: 0, successors: new Map() }
}

/** The moment after all others. A doubt counts from when it is asked for: most moments raise none. */
export class ClockMoment implements Moment {
  readonly stamp: number
  readonly settled: number
  readonly #clock: Clock

  constructor(clock: Clock) {
    clock.order++
    this.stamp = 2 * clock.order + 1
    this.settled = clock.newestDoubt
    this.#clock = clock
  }

  get doubt(): number {
    const doubt = this.stamp - 1
    this.#clock.newestDoubt = Math.max(this.#clock.newestDoubt, doubt)
    return doubt
  }

  nextId(): number {
    return this.#clock.ids++
  }

  addSuccessor(old: Line, line: Line): void {
    const { successors } = this.#clock
    // Only younger lines, so that following successors ends.
    if (line.id > old.id) successors.set(old.id, [...(successors.get(old.id) ?? []), line.id])
  }
}
