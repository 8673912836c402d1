import { arrayOf } from '../../core/words/json.ts'
import type { Body, ValidateOptions, Violation } from '../format.ts'
import { parseBody } from '../json-value.ts'
import { type ModelFamily, modelFamily } from '../model-family.ts'
import { kindOf } from '../openai-chat/validate-view.ts'
import { addAll, violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { checkPairs } from './validate-pairs.ts'
import { type PlacedItem, storedBy, viewItems } from './validate-view.ts'

const ROLES: ReadonlySet<string> = new Set(['assistant', 'system', 'developer', 'user'])

/** A map, because names such as `constructor` are found on every object. */
const REQUIRED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    function_call: ['call_id', 'name', 'arguments'],
    function_call_output: ['call_id', 'output'],
    custom_tool_call: ['call_id', 'name', 'input'],
    custom_tool_call_output: ['call_id', 'output'],
  }),
)

const MAXIMUM_ID_LENGTH = 64

/** The rules of the Responses API that a request breaks, in the provider's words. Any input has an answer. */
export function validate(source: Body, options: ValidateOptions = {}): readonly Violation[] {
  const parsed = parseBody(source)
  if (parsed.kind === 'not-json') return [violationOf(rules.notJson, '')]
  const body = parsed.kind === 'object' ? parsed.body : {}
  const stored = storedBy(body) !== null
  if (typeof body.input !== 'string' && !Array.isArray(body.input)) {
    const isEnough = stored || (body.prompt !== undefined && body.prompt !== null)
    return isEnough ? [] : [violationOf(rules.inputRequired, 'input')]
  }
  const model = options.model ?? body.model
  const family = modelFamily(typeof model === 'string' ? model : '')
  const items = viewItems(body.input)
  const found: Violation[] = []
  for (const item of items) addAll(found, checkItem(item, family))
  addAll(found, checkPairs(items, { stored }))
  addAll(found, checkIds(items))
  addAll(found, checkReasoning(items))
  if (body.store === false) addAll(found, checkPersisted(items))
  return found
}

function checkItem({ item, type, role, where }: PlacedItem, family: ModelFamily): Violation[] {
  const found: Violation[] = []
  if (type === 'message' && !ROLES.has(role)) {
    found.push(violationOf(rules.roleInvalid, `${where}.role`, { role }))
  }
  for (const field of REQUIRED_FIELDS.get(type) ?? []) {
    if (item[field] === undefined || item[field] === null) {
      found.push(violationOf(rules.parameterMissing, `${where}.${field}`))
    }
  }
  const [field, text] =
    type === 'custom_tool_call' ? ['input', item.input] : ['arguments', item.arguments]
  const isCall = type === 'function_call' || type === 'custom_tool_call'
  if (isCall && text !== undefined && text !== null && typeof text !== 'string') {
    const values = { kind: kindOf(text) }
    found.push(violationOf(rules.argumentsNotText, `${where}.${field}`, values))
  }
  const id = item.call_id
  if (family.limitsCallIds && typeof id === 'string' && id.length > MAXIMUM_ID_LENGTH) {
    found.push(violationOf(rules.callIdTooLong, `${where}.call_id`, { length: id.length }))
  }
  return found
}

function checkIds(items: readonly PlacedItem[]): Violation[] {
  const seen = new Set<string>()
  const found: Violation[] = []
  for (const { id, type, where } of items) {
    if (id === null || type === 'item_reference') continue
    if (seen.has(id)) found.push(violationOf(rules.duplicateItem, where, { id }))
    seen.add(id)
  }
  return found
}

/** Reasoning that the provider knows by its id is followed by what it led to: a message, a call, more reasoning. */
function checkReasoning(items: readonly PlacedItem[]): Violation[] {
  const found: Violation[] = []
  for (const { id, type, index, where } of items) {
    if (type !== 'reasoning' || id === null) continue
    const next = items[index + 1]
    const isFollowed =
      next !== undefined &&
      !next.type.endsWith('_output') &&
      (next.type !== 'message' || next.role === 'assistant')
    if (!isFollowed) found.push(violationOf(rules.reasoningWithoutFollower, where, { id }))
  }
  return found
}

function checkPersisted(items: readonly PlacedItem[]): Violation[] {
  const found: Violation[] = []
  for (const { id, item, type, where } of items) {
    if (id === null) continue
    // Open models send their reasoning as plain content, which needs no store.
    const isBare =
      type === 'reasoning' &&
      typeof item.encrypted_content !== 'string' &&
      arrayOf(item.content).length === 0
    if (isBare || type === 'item_reference') {
      found.push(violationOf(rules.itemNotPersisted, where, { id }))
    }
  }
  return found
}
