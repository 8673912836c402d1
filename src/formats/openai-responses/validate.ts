import { arrayOf } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import type { ModelFamily } from '../model-family.ts'
import { kindOf } from '../openai-chat/validate-view.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { type PlacedItem, type ResponsesRequest, storedBy } from './validate-view.ts'

const ROLES: ReadonlySet<string> = new Set(['assistant', 'system', 'developer', 'user'])

/** A Map, because every plain object has keys such as `constructor`. */
const REQUIRED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    function_call: ['call_id', 'name', 'arguments'],
    function_call_output: ['call_id', 'output'],
    custom_tool_call: ['call_id', 'name', 'input'],
    custom_tool_call_output: ['call_id', 'output'],
  }),
)

const MAXIMUM_ID_LENGTH = 64

/** Reports the rules of the Responses API that a request violates. */
export function* check(
  { body, items }: ResponsesRequest,
  family: ModelFamily,
): Generator<Violation> {
  const stored = storedBy(body) !== null
  if (typeof body.input !== 'string' && !Array.isArray(body.input)) {
    const isEnough = stored || (body.prompt !== undefined && body.prompt !== null)
    if (!isEnough) yield violationOf(rules.inputRequired, 'input')
    return
  }
  for (const item of items) yield* checkItem(item, family)
  yield* checkPairs(items, { stored })
  yield* checkIds(items)
  yield* checkReasoning(items)
  if (body.store === false) yield* checkPersisted(items)
}

function* checkItem(
  { item, type, role, where }: PlacedItem,
  family: ModelFamily,
): Generator<Violation> {
  if (type === 'message' && !ROLES.has(role)) {
    yield violationOf(rules.roleInvalid, `${where}.role`, { role })
  }
  for (const field of REQUIRED_FIELDS.get(type) ?? []) {
    if (item[field] === undefined || item[field] === null) {
      yield violationOf(rules.parameterMissing, `${where}.${field}`)
    }
  }
  const [field, text] =
    type === 'custom_tool_call' ? ['input', item.input] : ['arguments', item.arguments]
  const isCall = type === 'function_call' || type === 'custom_tool_call'
  if (isCall && text !== undefined && text !== null && typeof text !== 'string') {
    const values = { kind: kindOf(text) }
    yield violationOf(rules.argumentsNotText, `${where}.${field}`, values)
  }
  const id = item.call_id
  if (family.limitsCallIds && typeof id === 'string' && id.length > MAXIMUM_ID_LENGTH) {
    yield violationOf(rules.callIdTooLong, `${where}.call_id`, { length: id.length })
  }
}

function* checkIds(items: readonly PlacedItem[]): Generator<Violation> {
  const seen = new Set<string>()
  for (const { id, type, where } of items) {
    if (id === null || type === 'item_reference') continue
    if (seen.has(id)) yield violationOf(rules.duplicateItem, where, { id })
    seen.add(id)
  }
}

/** Reasoning with an id must be followed by a message, a call or more reasoning. */
function* checkReasoning(items: readonly PlacedItem[]): Generator<Violation> {
  for (const { id, type, index, where } of items) {
    if (type !== 'reasoning' || id === null) continue
    const next = items[index + 1]
    const isFollowed =
      next !== undefined &&
      !next.type.endsWith('_output') &&
      (next.type !== 'message' || next.role === 'assistant')
    if (!isFollowed) yield violationOf(rules.reasoningWithoutFollower, where, { id })
  }
}

function* checkPersisted(items: readonly PlacedItem[]): Generator<Violation> {
  for (const { id, item, type, where } of items) {
    if (id === null) continue
    // Open models return reasoning as plain content, which is not stored.
    const isBare =
      type === 'reasoning' &&
      typeof item.encrypted_content !== 'string' &&
      arrayOf(item.content).length === 0
    if (isBare || type === 'item_reference') {
      yield violationOf(rules.itemNotPersisted, where, { id })
    }
  }
}

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
function* checkPairs(
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
