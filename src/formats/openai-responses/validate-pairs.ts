import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import type { PlacedItem } from './validate-view.ts'

interface CallKind {
  readonly call: string
  readonly output: string
  /** The provider's word for it. */
  readonly kind: string
}

const CALL_KINDS: readonly CallKind[] = [
  { call: 'function_call', output: 'function_call_output', kind: 'function call' },
  { call: 'custom_tool_call', output: 'custom_tool_call_output', kind: 'custom tool call' },
]

/** Every call has its output, and every output its call, unless the provider holds what is missing. */
export function checkPairs(
  items: readonly PlacedItem[],
  { stored }: { readonly stored: boolean },
): readonly Violation[] {
  const isElsewhere = stored || items.some(({ type }) => type === 'item_reference')
  const found: Violation[] = []
  for (const { call, output, kind } of CALL_KINDS) {
    const called = callIds(items, call)
    const answered = callIds(items, output)
    for (const { item, type, where } of items) {
      const id = item.call_id
      if (typeof id !== 'string') continue
      if (type === call && !answered.has(id)) {
        found.push(violationOf(rules.callWithoutOutput, where, { kind, id }))
      }
      if (type === output && !called.has(id) && !isElsewhere) {
        found.push(violationOf(rules.outputWithoutCall, where, { kind, id }))
      }
    }
  }
  return found
}

function callIds(items: readonly PlacedItem[], type: string): ReadonlySet<unknown> {
  return new Set(items.filter((item) => item.type === type).map(({ item }) => item.call_id))
}
