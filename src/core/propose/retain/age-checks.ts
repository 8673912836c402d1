/** The ages, in requests, at which a result is checked. */
export const checkedAges: readonly number[] = [1, 3, 6, 10, 15, 20, 25, 32, 40, 50, 60, 75, 90, 120]

/** Shorter results are not checked, because a short form would save almost nothing. */
export const leastCheckedChars = 1500

/** Returns each result when it reaches one of the checked ages. */
export interface AgeChecks<Value> {
  /** Adds a result that is first sent at this turn. Turns must not decrease. */
  add(turn: number, value: Value): void
  /** The results that have reached a checked age since the last call, oldest first. */
  due(turn: number): Iterable<Value>
}

export function createAgeChecks<Value>(): AgeChecks<Value> {
  const values: Value[] = []
  const turns: number[] = []
  /** For each age, how many of the values have reached it. */
  const reached = checkedAges.map(() => 0)
  return {
    add(turn, value) {
      turns.push(turn)
      values.push(value)
    },
    *due(turn) {
      // The highest age has the oldest results.
      for (let at = reached.length - 1; at >= 0; at--) {
        const firstShown = turn - (checkedAges[at] as number)
        let next = reached[at] as number
        while (next < turns.length && (turns[next] as number) <= firstShown) {
          reached[at] = next + 1
          yield values[next++] as Value
        }
      }
    },
  }
}
