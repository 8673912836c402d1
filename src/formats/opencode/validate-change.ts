import type { Violation } from '../format.ts'
import { compareLists } from '../object/compare-lists.ts'
import { opencodeDialect } from './dialect.ts'
import { opencodeChangeRules } from './rules.ts'

type List = readonly unknown[]

/** What a change may not have done: moved anything, or touched ids, prose of the user, signed or opaque parts. */
export function validateChange(before: List, after: List): readonly Violation[] {
  return compareLists(opencodeDialect, opencodeChangeRules, before, after)
}
