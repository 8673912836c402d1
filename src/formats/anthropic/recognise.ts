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
  const messages = sample(body, 'messages')
  if (messages.some(isChatMessage)) return false
  const blocks = messages.flatMap(({ content }) => arrayOf(content).map(objectOf))
  if (blocks.some(({ type }) => ownBlocks.has(type))) return true
  // Gateways mark chat messages for Claude's cache too, most often the system prompt, which has another place here.
  const isMarked = blocks.some((block) => 'cache_control' in block)
  if (isMarked && messages[0]?.role !== 'system') return true
  const model = body.child('model')?.parse()
  return (
    typeof model === 'string' && model.startsWith('claude') && body.child('max_tokens') !== null
  )
}

function isChatMessage(message: JsonObject): boolean {
  return chatRoles.has(message.role) || 'tool_calls' in message || 'function_call' in message
}

function sample(body: RawNode, key: string): readonly JsonObject[] {
  const elements = body.child(key)?.children.slice(0, sampleSize) ?? []
  return elements.map(({ node }) => node.parse()).filter(isJsonObject)
}
