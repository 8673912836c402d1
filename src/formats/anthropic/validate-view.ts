import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import { messagesRequired } from './rules.ts'

/** A content block with its path, such as `messages.3.content.0`. String content is one text block. */
export interface PlacedBlock {
  readonly where: string
  readonly message: number
  readonly index: number
  readonly type: string
  readonly block: JsonObject
}

export interface PlacedMessage {
  readonly index: number
  readonly where: string
  readonly role: string
  /** The raw `content`, of any type. */
  readonly content: unknown
  readonly blocks: readonly PlacedBlock[]
}

/** Consecutive messages of one role, which the API combines. System entries do not end a turn. */
export interface Turn {
  readonly role: string
  readonly messages: readonly PlacedMessage[]
}

export interface AnthropicRequest {
  readonly body: JsonObject
  readonly messages: readonly PlacedMessage[]
}

export function view(body: JsonObject): AnthropicRequest | Violation {
  if (!Array.isArray(body.messages)) return violationOf(messagesRequired, 'messages')
  return { body, messages: viewMessages(body.messages) }
}

function viewMessages(messages: readonly unknown[]): readonly PlacedMessage[] {
  return messages.map((entry, index) => {
    const message = isJsonObject(entry) ? entry : {}
    const where = `messages.${index}`
    const role = typeof message.role === 'string' ? message.role : ''
    return { index, where, role, content: message.content, blocks: viewBlocks(message, index) }
  })
}

function viewBlocks(message: JsonObject, index: number): readonly PlacedBlock[] {
  const content = message.content
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return arrayOf(blocks).map((entry, position) => {
    const block = isJsonObject(entry) ? entry : {}
    const type = typeof block.type === 'string' ? block.type : ''
    const where = `messages.${index}.content.${position}`
    return { where, message: index, index: position, type, block }
  })
}

export function turnsOf(messages: readonly PlacedMessage[]): readonly Turn[] {
  const turns: { role: string; messages: PlacedMessage[] }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const last = turns.at(-1)
    if (last !== undefined && last.role === message.role) last.messages.push(message)
    else turns.push({ role: message.role, messages: [message] })
  }
  return turns
}

export function isThinking(block: PlacedBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

export function idOf(block: PlacedBlock, key: 'id' | 'tool_use_id'): string | null {
  const id = block.block[key]
  return typeof id === 'string' ? id : null
}
