import type { Violation } from '../format.ts'
import { compareLists } from '../object/compare-lists.ts'
import { aiSdkDialect } from './dialect.ts'
import { aiSdkChangeRules } from './rules.ts'

type List = readonly unknown[]

/** What a change may not have done: moved anything, or touched ids, prose of the user, signed or opaque parts. */
export function validateChange(before: List, after: List): readonly Violation[] {
  return compareLists(aiSdkDialect, aiSdkChangeRules, before, after)
}
