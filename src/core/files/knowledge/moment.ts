import type { Line } from '../text/line-list.ts'
import type { Moment } from '../text/version.ts'
import type { Rests } from './rests.ts'

/** What all moments of a session count up. */
export interface Clock {
  order: number
  /** The newest doubt that was ever asked for. */
  newestDoubt: number
  /** How many lines have got an identity. */
  ids: number
  readonly rests: Rests
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

  keepRest(old: Line, line: Line): void {
    this.#clock.rests.keep(old.id, line.id)
  }
}
