import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import type { ModelFamily } from '../model-family.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import { type ChatRequest, kindOf, type PlacedCall, type PlacedMessage } from './validate-view.ts'

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

/** Reports the rules of Chat Completions that a request violates, and those that DeepSeek, Kimi and Mistral add. */
export function* check({ body, messages }: ChatRequest, family: ModelFamily): Generator<Violation> {
  if (messages.length === 0) yield violationOf(rules.messagesEmpty, 'messages')
  const thinks = !isJsonObject(body.thinking) || body.thinking.type !== 'disabled'
  for (const message of messages) {
    yield* checkMessage(message)
    for (const call of message.calls) yield* checkCall(call, family)
    if (thinks) yield* checkReasoning(message, family)
    const previous = messages[message.index - 1]
    if (family.rejectsUserAfterTool && message.role === 'user' && previous?.role === 'tool') {
      yield violationOf(rules.userAfterTool, message.where)
    }
  }
  yield* checkAnswers(messages)
}

function* checkMessage({ message, role, where }: PlacedMessage): Generator<Violation> {
  if (!ROLES.has(role)) {
    yield violationOf(rules.roleInvalid, `${where}.role`, { role })
    return
  }
  if (lacksContent(message, role)) yield violationOf(rules.contentNull, `${where}.content`)
  if (role === 'tool' && typeof message.tool_call_id !== 'string') {
    yield violationOf(rules.toolCallIdRequired, where)
  }
  if (Array.isArray(message.tool_calls) && message.tool_calls.length === 0) {
    yield violationOf(rules.toolCallsEmpty, `${where}.tool_calls`)
  }
}

/** An assistant message may have no content if it has tool calls, a refusal, audio or reasoning. */
function lacksContent(message: JsonObject, role: string): boolean {
  if (message.content !== null && message.content !== undefined) return false
  if (role !== 'assistant') return true
  const instead = ['tool_calls', 'function_call', 'refusal', 'audio', ...REASONING_FIELDS]
  return instead.every((field) => message[field] === undefined || message[field] === null)
}

function* checkCall({ call, id, where }: PlacedCall, family: ModelFamily): Generator<Violation> {
  const input = isJsonObject(call.function) ? call.function.arguments : undefined
  if (input !== undefined && typeof input !== 'string') {
    const values = { kind: kindOf(input) }
    yield violationOf(rules.argumentsNotText, `${where}.function.arguments`, values)
  }
  if (id !== null && family.limitsCallIds && id.length > MAXIMUM_ID_LENGTH) {
    yield violationOf(rules.toolCallIdTooLong, `${where}.id`, { length: id.length })
  }
  if (id !== null && family.wantsShortCallIds && !SHORT_ID.test(id)) {
    yield violationOf(rules.toolCallIdShape, `${where}.id`, { id })
  }
}

/** Routers use different names for the field. */
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

/** All tool results must directly follow the message with the calls. */
function* checkAnswers(messages: readonly PlacedMessage[]): Generator<Violation> {
  let calling: PlacedMessage | null = null
  let open = new Set<string>()
  let asked: ReadonlySet<string> = open
  function* unanswered(): Generator<Violation> {
    if (calling === null || open.size === 0) return
    const values = { ids: [...open].join(', ') }
    yield violationOf(rules.toolCallWithoutAnswer, calling.where, values)
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = message.message.tool_call_id
      if (calling === null) {
        yield violationOf(rules.toolWithoutCalls, `${message.where}.role`)
      } else if (typeof id === 'string' && !asked.has(id)) {
        yield violationOf(rules.toolCallIdUnknown, `${message.where}.tool_call_id`, { id })
      } else if (typeof id === 'string') {
        open.delete(id)
      }
      continue
    }
    yield* unanswered()
    calling = message.calls.length > 0 ? message : null
    open = new Set(message.calls.flatMap(({ id }) => (id === null ? [] : [id])))
    asked = new Set(open)
  }
  yield* unanswered()
}
