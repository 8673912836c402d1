import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import type { PickedList } from '../object/pick-list.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool'])

/** Reports violations of the AI SDK's own rules and of the rules that all providers share. */
export function* check(list: PickedList): Generator<Violation> {
  if (list.kind === 'not-a-list') {
    yield violationOf(rules.notAList, 'messages')
    return
  }
  if (list.messages.length === 0) yield violationOf(rules.messagesEmpty, 'messages')
  const parts: PlacedPart[] = []
  for (const [index, message] of list.messages.entries()) {
    const where = `messages.${index}`
    if (message === null || !roles.has(message.role)) yield violationOf(rules.messageShape, where)
    else yield* checkContent(message, where, parts)
  }
  yield* checkPairs(parts)
}

/** Adds the parts that have a known shape to `parts`. */
function* checkContent(
  { role, content }: JsonObject,
  where: string,
  parts: PlacedPart[],
): Generator<Violation> {
  const at = `${where}.content`
  parts.push({ role, where, part: {} })
  if (typeof content === 'string' && role !== 'tool') return
  if (!Array.isArray(content) || role === 'system') {
    yield violationOf(rules.messageShape, at)
    return
  }
  if (content.length === 0) yield violationOf(rules.contentEmpty, at)
  for (const [index, part] of content.entries()) {
    const place = `${at}.${index}`
    if (hasPartShape(part)) parts.push({ role, where: place, part })
    else yield violationOf(rules.partShape, place)
  }
}

/** A part with the role of its message. Each message starts with an entry whose part has no type. */
interface PlacedPart {
  readonly role: unknown
  readonly where: string
  readonly part: JsonObject
}

/** Every call needs a result before the next user or system message, and every result an earlier call. */
function* checkPairs(parts: readonly PlacedPart[]): Generator<Violation> {
  const called = new Set<string>()
  const answered = new Set<string>()
  const waiting = new Set<string>()
  const approvals = new Map<string, string>()
  for (const { role, where, part } of parts) {
    const id = String(part.toolCallId)
    switch (part.type) {
      case undefined:
        if (role === 'user' || role === 'system') yield* unanswered(waiting, where)
        break
      case 'tool-call':
        called.add(id)
        // An id may be reused after its result.
        answered.delete(id)
        if (part.providerExecuted !== true) waiting.add(id)
        break
      case 'tool-approval-request':
        approvals.set(String(part.approvalId), id)
        break
      case 'tool-approval-response':
        // The SDK runs or denies the call and adds the result before the request.
        waiting.delete(approvals.get(String(part.approvalId)) ?? '')
        break
      case 'tool-result':
        if (!called.has(id)) yield violationOf(rules.toolResultWithoutCall, where, { id })
        else if (answered.has(id)) yield violationOf(rules.toolResultRepeated, where, { id })
        answered.add(id)
        waiting.delete(id)
    }
  }
  yield* unanswered(waiting, 'messages')
}

/** Reports the calls that have no result yet. */
function* unanswered(waiting: Set<string>, where: string): Generator<Violation> {
  const ids = [...waiting]
  waiting.clear()
  if (ids.length === 0) return
  const [results, calls] = ids.length > 1 ? ['results are', 'calls'] : ['result is', 'call']
  yield violationOf(rules.toolResultsMissing, where, { results, calls, ids: ids.join(', ') })
}

const outputsOfText: ReadonlySet<unknown> = new Set(['text', 'error-text'])

/**
 * True if a part has the fields that its type requires. Unknown types are accepted, because a later version of the SDK
 * may add them.
 */
function hasPartShape(part: unknown): part is JsonObject {
  if (!isJsonObject(part) || typeof part.type !== 'string') return false
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return typeof part.text === 'string'
    case 'image':
      return part.image !== undefined
    case 'file':
    case 'reasoning-file':
      return part.data !== undefined && typeof part.mediaType === 'string'
    case 'tool-call':
      return isId(part.toolCallId) && typeof part.toolName === 'string' && part.input !== undefined
    case 'tool-result':
      return isId(part.toolCallId) && typeof part.toolName === 'string' && hasOutputShape(part)
    case 'tool-approval-request':
      return isId(part.approvalId) && isId(part.toolCallId)
    case 'tool-approval-response':
      return isId(part.approvalId) && typeof part.approved === 'boolean'
    default:
      return true
  }
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function hasOutputShape({ output }: JsonObject): boolean {
  if (!isJsonObject(output)) return false
  const { type, value, reason } = output
  if (outputsOfText.has(type)) return typeof value === 'string'
  if (type === 'execution-denied') return reason === undefined || typeof reason === 'string'
  if (type === 'content') return Array.isArray(value) && value.every(isElement)
  return (type === 'json' || type === 'error-json') && value !== undefined
}

function isElement(element: unknown): boolean {
  if (!isJsonObject(element) || typeof element.type !== 'string') return false
  return element.type !== 'text' || typeof element.text === 'string'
}
