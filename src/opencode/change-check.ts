import type { ItemChange, RequestRead, Violation } from '../formats/format.ts'
import { opencode } from '../formats/opencode/index.ts'

type List = readonly unknown[]

/**
 * Finds rules that a changed list breaks and the original list does not. Every rule of the host is about one message, so
 * messages that were checked with the same changes for the last request are not checked again.
 */
export interface ChangeCheck {
  check(
    read: RequestRead<List>,
    changes: ReadonlyMap<number, readonly ItemChange[]>,
    after: List,
  ): Violation | null
}

export function createChangeCheck(): ChangeCheck {
  let checked: ReadonlyMap<number, readonly ItemChange[]> = new Map()
  return {
    check(read, changes, after) {
      const fresh = [...changes].flatMap(([message, own]) => {
        const isKnown = message < read.shared && isSame(checked.get(message), own)
        return isKnown ? [] : [message]
      })
      const found = newViolation(
        fresh.map((message) => read.source[message]),
        fresh.map((message) => after[message]),
      )
      checked = found === null ? changes : new Map()
      return found
    },
  }
}

/** A rule that the list breaks now and did not break before. */
export function newViolation(before: List, after: List): Violation | null {
  const broken = opencode.validate(after)
  if (broken.length > 0) {
    const known = new Set(opencode.validate(before).map(({ rule, where }) => `${rule} ${where}`))
    const own = broken.find(({ rule, where }) => !known.has(`${rule} ${where}`))
    if (own !== undefined) return own
  }
  return opencode.validateChange(before, after)[0] ?? null
}

function isSame(one: readonly ItemChange[] | undefined, other: readonly ItemChange[]): boolean {
  if (one?.length !== other.length) return false
  return other.every(({ item, text }, at) => one[at]?.item === item && one[at]?.text === text)
}
