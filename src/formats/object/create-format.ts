import type { Format, Violation } from '../format.ts'
import type { ChangeRules } from './change-rules.ts'
import { compareLists } from './compare-lists.ts'
import type { ListDialect } from './dialect.ts'
import { type PickedList, pickList } from './pick-list.ts'
import { readList } from './read-list.ts'
import { rewriteList } from './rewrite-list.ts'

/** Creates the format of a list of messages from its dialect and its checks. */
export function createListFormat(
  dialect: ListDialect,
  check: (list: PickedList) => Iterable<Violation>,
  changeRules: ChangeRules,
): Format<readonly unknown[]> {
  return {
    name: dialect.name,
    read: (source, previous) => readList(dialect, source, previous),
    rewrite: (read, changes) => rewriteList(dialect, read, changes),
    validate: (source) => [...check(pickList(dialect, source))],
    validateChange: (before, after) => [...compareLists(dialect, changeRules, before, after)],
  }
}
