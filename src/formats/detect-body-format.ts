import { isJsonObject, type JsonObject, parseJson } from '../core/words/json.ts'
import type { Body, BodyFormatName } from './format.ts'
import { findInvalidUtf8, openDocument } from './json/document.ts'
import { RawNode } from './json/raw-node.ts'
import { skipSpace, skipValue } from './json/scan.ts'

const paths: readonly (readonly [RegExp, BodyFormatName])[] = [
  [/\/messages(\/count_tokens)?\/?$/, 'anthropic'],
  [/\/chat\/completions\/?$/, 'openai-chat'],
  [/\/responses(\/compact|\/input_tokens)?\/?$/, 'openai-responses'],
  [/:(generateContent|streamGenerateContent|countTokens)$/, 'gemini'],
]

const anthropicBlocks = new Set<unknown>([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
])

/** How many messages are looked at before it is decided which of two similar formats a body has. */
const sampleSize = 20

/**
 * Which format a body has. The request's path decides where it is given, and null means that it belongs to none of
 * them. Without a path the body itself is looked at, and the answer is the likeliest one; a short chat without tools
 * looks the same in two formats.
 */
export function detectBodyFormat(body: Body, path?: string): BodyFormatName | null {
  if (path !== undefined) {
    const bare = path.split(/[?#]/, 1)[0] ?? ''
    return paths.find(([pattern]) => pattern.test(bare))?.[1] ?? null
  }
  const root = rootOf(body)
  if (root === null) return null
  if (isArrayAt(root, 'contents')) return 'gemini'
  if (isArrayAt(root, 'messages')) return looksAnthropic(root) ? 'anthropic' : 'openai-chat'
  return root.child('input') === null ? null : 'openai-responses'
}

function rootOf(body: Body): RawNode | null {
  if (typeof body !== 'string' && findInvalidUtf8(body, 0) >= 0) return null
  const document = openDocument(body, 0, body.length)
  const start = skipSpace(document.scan, 0)
  const end = skipValue(document.scan, start)
  return end < 0 || document.scan.charAt(start) !== '{' ? null : new RawNode(document, start, end)
}

function isArrayAt(root: RawNode, key: string): boolean {
  const node = root.child(key)
  return node !== null && node.document.scan.charAt(node.start) === '['
}

function looksAnthropic(root: RawNode): boolean {
  for (const key of ['system', 'anthropic_version', 'context_management', 'stop_sequences']) {
    if (root.child(key) !== null) return true
  }
  for (const tool of sample(root, 'tools')) {
    if ('input_schema' in tool) return true
    if (isJsonObject(tool.function)) return false
  }
  for (const message of sample(root, 'messages')) {
    if (isChatMessage(message)) return false
    if (hasAnthropicBlock(message)) return true
  }
  const model = parsed(root.child('model'))
  return (
    typeof model === 'string' && model.startsWith('claude') && root.child('max_tokens') !== null
  )
}

function isChatMessage(message: JsonObject): boolean {
  if (message.role === 'tool' || message.role === 'function' || message.role === 'developer') {
    return true
  }
  return 'tool_calls' in message || 'function_call' in message
}

function hasAnthropicBlock(message: JsonObject): boolean {
  if (!Array.isArray(message.content)) return false
  return message.content.some(
    (block: unknown) =>
      isJsonObject(block) && (anthropicBlocks.has(block.type) || 'cache_control' in block),
  )
}

function sample(root: RawNode, key: string): readonly JsonObject[] {
  const elements = root.child(key)?.children.slice(0, sampleSize) ?? []
  return elements.map((element) => parsed(element.node)).filter(isJsonObject)
}

function parsed(node: RawNode | null): unknown {
  return node === null ? undefined : parseJson(node.document.text(node.start, node.end))
}
