import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import type { ModelFamily } from '../model-family.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import type { PlacedBlock, PlacedMessage } from './validate-view.ts'

/** A Map, because every plain object has keys such as `constructor`. */
const REQUIRED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    text: ['text'],
    image: ['source'],
    document: ['source'],
    thinking: ['thinking'],
    redacted_thinking: ['data'],
    tool_use: ['id', 'name', 'input'],
    server_tool_use: ['id', 'name', 'input'],
    tool_result: ['tool_use_id'],
  }),
)

/** Block types of other APIs. Unknown types are accepted, because providers keep adding new ones. */
const FOREIGN_TYPES: ReadonlySet<string> = new Set([
  'input_text',
  'output_text',
  'image_url',
  'input_image',
  'input_file',
  'function_call',
  'function_call_output',
  'tool_call',
  'tool-call',
  'tool-result',
  'refusal',
])

/** Types that are not allowed in a tool result. */
const NOT_IN_RESULTS: ReadonlySet<string> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
])

const TOOL_ID = /^[a-zA-Z0-9_-]+$/
const SERVER_TOOL_ID = /^srvtoolu_[a-zA-Z0-9_]+$/

/** Checks roles, contents and the fields of blocks. */
export function* checkShape(
  body: JsonObject,
  messages: readonly PlacedMessage[],
  family: ModelFamily,
): Generator<Violation> {
  if ('stream' in body && body.max_tokens === undefined) {
    yield violationOf(rules.maxTokensRequired, 'max_tokens')
  }
  if (messages.length === 0) yield violationOf(rules.messagesEmpty, 'messages')
  for (const message of messages) {
    yield* checkRole(message, family)
    yield* checkContent(message, messages.length)
    for (const block of message.blocks) yield* checkBlock(block, message)
  }
  for (const [index, block] of arrayOf(body.system).entries()) {
    if (isJsonObject(block)) yield* checkText(block, `system.${index}`, 'system')
  }
  yield* checkToolNames(body)
}

function checkRole(message: PlacedMessage, family: ModelFamily): readonly Violation[] {
  const { role, where } = message
  if (role === 'user' || role === 'assistant') return []
  if (role === '') return [violationOf(rules.fieldRequired, `${where}.role`)]
  if (role !== 'system') return [violationOf(rules.unexpectedRole, `${where}.role`, { role })]
  if (family.rejectsSystemEntries) {
    return [violationOf(rules.systemRoleUnsupported, `${where}.role`)]
  }
  return message.index === 0 ? [violationOf(rules.systemRoleFirst, where)] : []
}

function checkContent(message: PlacedMessage, count: number): readonly Violation[] {
  const { content, role, index, where } = message
  if (typeof content !== 'string' && !Array.isArray(content)) {
    const problem =
      content === undefined || content === null ? 'Field required' : 'Input should be a valid list'
    return [violationOf(rules.contentShape, `${where}.content`, { message: index, problem })]
  }
  const mayBeEmpty = role === 'system' || (role === 'assistant' && index === count - 1)
  if (content.length > 0 || mayBeEmpty) return []
  return [violationOf(rules.emptyMessage, where, { message: index })]
}

function* checkBlock(placed: PlacedBlock, message: PlacedMessage): Generator<Violation> {
  const { block, type, where } = placed
  if (typeof message.content === 'string') return
  if (type === '') yield violationOf(rules.fieldRequired, `${where}.type`)
  if (FOREIGN_TYPES.has(type)) yield violationOf(rules.blockType, where, { type })
  for (const field of REQUIRED_FIELDS.get(type) ?? []) {
    if (block[field] === undefined || block[field] === null) {
      yield violationOf(rules.fieldRequired, `${where}.${type}.${field}`)
    }
  }
  if (message.role !== 'system') yield* checkText(block, where, 'messages')
  yield* checkToolBlock(placed, message)
}

function checkText(block: JsonObject, where: string, place: string): readonly Violation[] {
  if (block.type !== 'text' || block.text !== '') return []
  return isJsonObject(block.cache_control)
    ? [violationOf(rules.cacheControlOnEmptyText, where)]
    : [violationOf(rules.emptyText, where, { place })]
}

function* checkToolBlock(placed: PlacedBlock, message: PlacedMessage): Generator<Violation> {
  const { block, type, where } = placed
  const belongsTo = type === 'tool_use' ? 'assistant' : type === 'tool_result' ? 'user' : null
  const other = belongsTo === 'user' ? 'assistant' : 'user'
  if (belongsTo !== null && message.role === other) {
    yield violationOf(rules.toolBlockRole, message.where, { type, role: belongsTo })
  }
  const idField = type === 'tool_result' ? 'tool_use_id' : 'id'
  const pattern =
    type === 'tool_use' || type === 'tool_result'
      ? TOOL_ID
      : type === 'server_tool_use'
        ? SERVER_TOOL_ID
        : null
  const id = block[idField]
  if (pattern !== null && typeof id === 'string' && !pattern.test(id)) {
    const values = { pattern: pattern.source }
    yield violationOf(rules.toolIdPattern, `${where}.${type}.${idField}`, values)
  }
  const input = block.input
  if (type === 'tool_use' && input !== undefined && input !== null && !isJsonObject(input)) {
    yield violationOf(rules.toolInputNotObject, `${where}.tool_use.input`)
  }
  if (type === 'tool_result') yield* checkResultContent(block.content, where)
}

function* checkResultContent(content: unknown, where: string): Generator<Violation> {
  for (const [index, block] of arrayOf(content).entries()) {
    if (!isJsonObject(block) || typeof block.type !== 'string') continue
    const { type } = block
    const place = `${where}.tool_result.content.${index}`
    if (FOREIGN_TYPES.has(type) || NOT_IN_RESULTS.has(type)) {
      yield violationOf(rules.blockType, place, { type })
    }
    yield* checkText(block, place, 'messages')
  }
}

function checkToolNames(body: JsonObject): readonly Violation[] {
  const names = new Set<string>()
  for (const [index, tool] of arrayOf(body.tools).entries()) {
    const name = isJsonObject(tool) ? tool.name : undefined
    if (typeof name !== 'string') continue
    if (names.has(name)) return [violationOf(rules.toolNamesUnique, `tools.${index}.name`)]
    names.add(name)
  }
  return []
}
