import { checkedAges } from './checked-ages.ts'

/** Results by the request that showed them first, each asked about when it has one of the checked ages. */
export interface AskedAges<Value> {
  /** One more that is first shown at this turn, which is none before that of the last one. */
  add(turn: number, value: Value): void
  /** Those that have come of one of the ages since the last time, the oldest first. */
  due(turn: number): Iterable<Value>
}

export function createAskedAges<Value>(): AskedAges<Value> {
  const values: Value[] = []
  const turns: number[] = []
  /** How many of the values have had each age; they come of it in their order. */
  const passed = checkedAges.map(() => 0)
  return {
    add(turn, value) {
      turns.push(turn)
      values.push(value)
    },
    *due(turn) {
      // At a later age there are older ones.
      for (let at = passed.length - 1; at >= 0; at--) {
        const firstShown = turn - (checkedAges[at] as number)
        let next = passed[at] as number
        while (next < turns.length && (turns[next] as number) <= firstShown) {
          passed[at] = next + 1
          yield values[next++] as Value
        }
      }
    },
  }
}
