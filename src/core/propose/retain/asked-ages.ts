import { checkedAges } from './checked-ages.ts'

/** Returns each result when it reaches one of the checked ages. */
export interface AskedAges<Value> {
  /** Adds a result that is first sent at this turn. Turns must not decrease. */
  add(turn: number, value: Value): void
  /** Those that have reached an age since the last call, oldest first. */
  due(turn: number): Iterable<Value>
}

export function createAskedAges<Value>(): AskedAges<Value> {
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
