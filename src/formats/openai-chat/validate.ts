import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Body, ValidateOptions, Violation } from '../format.ts'
import { parseBody } from '../json-value.ts'
import { type ModelFamily, modelFamily } from '../model-family.ts'
import { addAll, violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { checkAnswers } from './validate-answers.ts'
import { kindOf, type PlacedCall, type PlacedMessage, viewMessages } from './validate-view.ts'

const ROLES: ReadonlySet<string> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])

const SHORT_ID = /^[a-zA-Z0-9]{9}$/
const MAXIMUM_ID_LENGTH = 40

/**
 * The rules of Chat Completions that a request breaks, and those that DeepSeek, Kimi and Mistral add, in the
 * providers' words. Any input has an answer.
 */
export function validate(source: Body, options: ValidateOptions = {}): readonly Violation[] {
  const parsed = parseBody(source)
  if (parsed.kind === 'not-json') return [violationOf(rules.notJson, '')]
  const body = parsed.kind === 'object' ? parsed.body : {}
  if (!Array.isArray(body.messages)) return [violationOf(rules.messagesRequired, 'messages')]
  if (body.messages.length === 0) return [violationOf(rules.messagesEmpty, 'messages')]
  const model = options.model ?? body.model
  const family = modelFamily(typeof model === 'string' ? model : '')
  const thinks = !isJsonObject(body.thinking) || body.thinking.type !== 'disabled'
  const messages = viewMessages(body.messages)
  const found: Violation[] = []
  for (const message of messages) {
    addAll(found, checkMessage(message))
    for (const call of message.calls) addAll(found, checkCall(call, family))
    if (thinks) addAll(found, checkReasoning(message, family))
    const previous = messages[message.index - 1]
    if (family.rejectsUserAfterTool && message.role === 'user' && previous?.role === 'tool') {
      found.push(violationOf(rules.userAfterTool, message.where))
    }
  }
  addAll(found, checkAnswers(messages))
  return found
}

function checkMessage({ message, role, where }: PlacedMessage): readonly Violation[] {
  if (!ROLES.has(role)) return [violationOf(rules.roleInvalid, `${where}.role`, { role })]
  const found: Violation[] = []
  if (lacksContent(message, role)) found.push(violationOf(rules.contentNull, `${where}.content`))
  if (role === 'tool' && typeof message.tool_call_id !== 'string') {
    found.push(violationOf(rules.toolCallIdRequired, where))
  }
  if (Array.isArray(message.tool_calls) && message.tool_calls.length === 0) {
    found.push(violationOf(rules.toolCallsEmpty, `${where}.tool_calls`))
  }
  return found
}

/** An assistant may say nothing when it calls tools, refuses, speaks or only reasons. */
function lacksContent(message: JsonObject, role: string): boolean {
  if (message.content !== null && message.content !== undefined) return false
  if (role !== 'assistant') return true
  const instead = ['tool_calls', 'function_call', 'refusal', 'audio', ...REASONING_FIELDS]
  return instead.every((field) => message[field] === undefined || message[field] === null)
}

function checkCall({ call, id, where }: PlacedCall, family: ModelFamily): readonly Violation[] {
  const found: Violation[] = []
  const input = isJsonObject(call.function) ? call.function.arguments : undefined
  if (input !== undefined && typeof input !== 'string') {
    const values = { kind: kindOf(input) }
    found.push(violationOf(rules.argumentsNotText, `${where}.function.arguments`, values))
  }
  if (id !== null && family.limitsCallIds && id.length > MAXIMUM_ID_LENGTH) {
    found.push(violationOf(rules.toolCallIdTooLong, `${where}.id`, { length: id.length }))
  }
  if (id !== null && family.wantsShortCallIds && !SHORT_ID.test(id)) {
    found.push(violationOf(rules.toolCallIdShape, `${where}.id`, { id }))
  }
  return found
}

/** Routers have names of their own for the field. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details', 'reasoning_text']

function checkReasoning(placed: PlacedMessage, family: ModelFamily): readonly Violation[] {
  const { message, role, where, index, calls } = placed
  if (role !== 'assistant') return []
  const values = REASONING_FIELDS.map((field) => message[field])
  const isThere = values.some((value) => value !== undefined && value !== null)
  if (family.wantsReasoningOnAll && !isThere) {
    return [violationOf(rules.reasoningNotPassedBack, where)]
  }
  const isEmpty = values.every((value) => value === undefined || value === null || value === '')
  if (family.wantsReasoningOnCalls && calls.length > 0 && isEmpty) {
    return [violationOf(rules.reasoningMissingOnCalls, where, { index })]
  }
  return []
}
