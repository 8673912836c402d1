import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import type { PlacedItem } from './validate-view.ts'

interface CallKind {
  readonly call: string
  readonly output: string
  /** The provider's name for it. */
  readonly kind: string
}

const CALL_KINDS: readonly CallKind[] = [
  { call: 'function_call', output: 'function_call_output', kind: 'function call' },
  { call: 'custom_tool_call', output: 'custom_tool_call_output', kind: 'custom tool call' },
]

/** Built-in tools that the client runs. Their outputs have the call id in `call_id`, or in `id` in older versions. */
const BUILT_IN_KINDS: readonly CallKind[] = [
  { call: 'local_shell_call', output: 'local_shell_call_output', kind: 'local shell call' },
  { call: 'shell_call', output: 'shell_call_output', kind: 'shell call' },
  { call: 'computer_call', output: 'computer_call_output', kind: 'computer call' },
  { call: 'apply_patch_call', output: 'apply_patch_call_output', kind: 'apply patch call' },
]

/** Every call needs an output and every output a call, unless the provider stores the missing one. */
export function* checkPairs(
  items: readonly PlacedItem[],
  { stored }: { readonly stored: boolean },
): Generator<Violation> {
  const isElsewhere = stored || items.some(({ type }) => type === 'item_reference')
  for (const { call, output, kind } of CALL_KINDS) {
    const called = callIds(items, call)
    const answered = callIds(items, output)
    for (const { item, type, where } of items) {
      const id = item.call_id
      if (typeof id !== 'string') continue
      if (type === call && !answered.has(id)) {
        yield violationOf(rules.callWithoutOutput, where, { kind, id })
      }
      if (type === output && !called.has(id) && !isElsewhere) {
        yield violationOf(rules.outputWithoutCall, where, { kind, id })
      }
    }
  }
  for (const { call, output, kind } of BUILT_IN_KINDS) {
    const answered = new Set(
      items.filter(({ type }) => type === output).flatMap(({ item }) => [item.call_id, item.id]),
    )
    for (const { item, type, where } of items) {
      const id = typeof item.call_id === 'string' ? item.call_id : item.id
      if (type === call && typeof id === 'string' && !answered.has(id))
        yield violationOf(rules.callWithoutOutput, where, { kind, id })
    }
  }
}

function callIds(items: readonly PlacedItem[], type: string): ReadonlySet<unknown> {
  return new Set(items.filter((item) => item.type === type).map(({ item }) => item.call_id))
}
