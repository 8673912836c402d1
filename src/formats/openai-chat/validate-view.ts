import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import { messagesRequired } from './rules.ts'

export interface PlacedCall {
  readonly where: string
  readonly id: string | null
  readonly call: JsonObject
}

export interface PlacedMessage {
  readonly index: number
  readonly where: string
  readonly role: string
  readonly message: JsonObject
  readonly calls: readonly PlacedCall[]
}

/** Messages with paths as this API writes them: `messages[3].tool_calls[0]`. */
export interface ChatRequest {
  readonly body: JsonObject
  readonly messages: readonly PlacedMessage[]
}

export function view(body: JsonObject): ChatRequest | Violation {
  if (!Array.isArray(body.messages)) return violationOf(messagesRequired, 'messages')
  return { body, messages: viewMessages(body.messages) }
}

function viewMessages(messages: readonly unknown[]): readonly PlacedMessage[] {
  return messages.map((entry, index) => {
    const message = isJsonObject(entry) ? entry : {}
    const where = `messages[${index}]`
    const role = typeof message.role === 'string' ? message.role : ''
    return {
      index,
      where,
      role,
      message,
      calls: role === 'assistant' ? callsOf(message, where) : [],
    }
  })
}

function callsOf(message: JsonObject, where: string): readonly PlacedCall[] {
  return arrayOf(message.tool_calls).map((entry, position) => {
    const call = isJsonObject(entry) ? entry : {}
    const id = typeof call.id === 'string' ? call.id : null
    return { where: `${where}.tool_calls[${position}]`, id, call }
  })
}

/** The name of a value's type in the API's errors. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  switch (typeof value) {
    case 'object':
      return 'an object'
    case 'boolean':
      return 'a boolean'
    case 'number':
      return Number.isInteger(value) ? 'an integer' : 'a decimal'
    default:
      return `a ${typeof value}`
  }
}
