import type { ItemChange, RequestRead, Violation } from '../formats/format.ts'
import { newViolation } from '../formats/object/new-violation.ts'
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
        opencode,
        fresh.map((message) => read.source[message]),
        fresh.map((message) => after[message]),
      )
      checked = found === null ? changes : new Map()
      return found
    },
  }
}

function isSame(one: readonly ItemChange[] | undefined, other: readonly ItemChange[]): boolean {
  if (one?.length !== other.length) return false
  return other.every(({ item, text }, at) => one[at]?.item === item && one[at]?.text === text)
}
