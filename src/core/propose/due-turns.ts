/** A result is first shown at the request after its turn; whatever is done for its age waits for the one after that. */
export const firstSeen = 2

/**
 * Things that are to be looked at when a turn has come. Every turn is passed once, so that the work depends on what is due
 * and not on the length of the session.
 */
export interface DueTurns<Value> {
  add(turn: number, value: Value): void
  /** What is due at this turn or was before, in order, each once. */
  take(turn: number): readonly Value[]
}

const none: readonly never[] = []

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
      let taken: readonly Value[] = none
      while (passed < turn && waiting.size > 0) {
        passed++
        const due = waiting.get(passed)
        if (due === undefined) continue
        waiting.delete(passed)
        taken = taken.length === 0 ? due : [...taken, ...due]
      }
      passed = Math.max(passed, turn)
      return taken
    },
  }
}
