/** A result is first shown at the request after its turn, so nothing is done for its age before the one after that. */
export const firstSeen = 2

/** Values that wait for a turn. */
export interface DueTurns<Value> {
  add(turn: number, value: Value): void
  /** What is due at this turn or was before, in order, each once. */
  take(turn: number): readonly Value[]
}

export function createDueTurns<Value>(): DueTurns<Value> {
  const waiting = new Map<number, Value[]>()
  let passed = 0
  return {
    add(turn, value) {
      const due = Math.max(turn, passed + 1)
      const values = waiting.get(due)
      if (values === undefined) waiting.set(due, [value])
      else values.push(value)
    },
    take(turn) {
      const taken: Value[] = []
      for (; passed < turn; passed++) {
        taken.push(...(waiting.get(passed + 1) ?? []))
        waiting.delete(passed + 1)
      }
      return taken
    },
  }
}
