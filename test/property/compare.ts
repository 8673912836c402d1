import type { EngineRequest } from '../../src/core/engine.ts'
import type { Violation } from '../../src/formats/format.ts'

/** What a request shows differently, without the places that items have in one process's record. */
export function shownChanges({ turn, changes }: EngineRequest): unknown {
  return {
    turn,
    changes: changes.map(({ decision, ...change }) => {
      const { item: _, by: __, ...rest } = decision
      return { ...change, decision: rest }
    }),
  }
}

/** The rules that the second list breaks more often than the first. */
export function newlyBroken(
  before: readonly Violation[],
  after: readonly Violation[],
): readonly string[] {
  const known = before.map(({ rule }) => rule)
  return after.flatMap(({ rule, where }) => {
    const at = known.indexOf(rule)
    if (at < 0) return [`${rule} at ${where}`]
    known.splice(at, 1)
    return []
  })
}
