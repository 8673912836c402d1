import { addToList } from '../../words/lists.ts'
import type { Line } from '../text/line-list.ts'
import type { Moment } from '../text/version.ts'

/** Counts the moments of a session and the identities of its lines. */
export interface Clock {
  order: number
  /** The newest doubt that was requested. */
  newestDoubt: number
  /** The next line identity. */
  ids: number
  /** By line, the newer lines that hold the rest of it after a change replaced a part of it. */
  readonly successors: Map<number, number[]>
}

export function createClock(): Clock {
  return { order: 0, newestDoubt: 0, ids: 0, successors: new Map() }
}

/** A moment after all earlier ones. Its doubt counts only once it is read, because most moments raise none. */
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
    // Only newer lines, so that following successors ends.
    if (line.id > old.id) addToList(this.#clock.successors, old.id, line.id)
  }
}
