import { addToList } from '../words/lists.ts'

/** A result is first sent one turn after its call, so age rules apply two turns after it at the earliest. */
export const firstSeen = 2

/** Values that wait for a turn. */
export interface DueTurns<Value> {
  add(turn: number, value: Value): void
  /** Removes and returns the values that are due by this turn, in order. */
  take(turn: number): readonly Value[]
}

export function createDueTurns<Value>(): DueTurns<Value> {
  const waiting = new Map<number, Value[]>()
  let lastTurn = 0
  return {
    add(turn, value) {
      addToList(waiting, Math.max(turn, lastTurn + 1), value)
    },
    take(turn) {
      const taken: Value[] = []
      for (; lastTurn < turn; lastTurn++) {
        taken.push(...(waiting.get(lastTurn + 1) ?? []))
        waiting.delete(lastTurn + 1)
      }
      return taken
    },
  }
}
