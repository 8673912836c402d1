import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import type { RawNode } from '../json/raw-node.ts'

/** Members that Chat Completions does not have. */
const ownMembers = ['system', 'anthropic_version', 'context_management', 'stop_sequences']

const ownBlocks = new Set<unknown>([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
])

const chatRoles = new Set<unknown>(['tool', 'function', 'developer'])

/** How many messages and tools are checked. */
const sampleSize = 20

/** Distinguishes a Messages API body from Chat Completions. A short chat without tools looks the same in both. */
export function looksLikeMessagesApi(body: RawNode): boolean {
  if (ownMembers.some((key) => body.child(key) !== null)) return true
  for (const tool of sample(body, 'tools')) {
    if ('input_schema' in tool) return true
    if (isJsonObject(tool.function)) return false
  }
  for (const message of sample(body, 'messages')) {
    if (isChatMessage(message)) return false
    if (arrayOf(message.content).map(objectOf).some(isOwnBlock)) return true
  }
  const model = body.child('model')?.parse()
  return (
    typeof model === 'string' && model.startsWith('claude') && body.child('max_tokens') !== null
  )
}

function isChatMessage(message: JsonObject): boolean {
  return chatRoles.has(message.role) || 'tool_calls' in message || 'function_call' in message
}

function isOwnBlock(block: JsonObject): boolean {
  return ownBlocks.has(block.type) || 'cache_control' in block
}

function sample(body: RawNode, key: string): readonly JsonObject[] {
  const elements = body.child(key)?.children.slice(0, sampleSize) ?? []
  return elements.map(({ node }) => node.parse()).filter(isJsonObject)
}
