import {
  arrayOf,
  isJsonObject,
  type JsonObject,
  objectOf,
  parseJson,
} from '../../core/words/json.ts'
import { memberText, textAfter } from '../json/find-member.ts'
import type { RawNode } from '../json/raw-node.ts'
import { flatTools } from '../tool-definitions.ts'
import { type PartialUsage, tokenCount } from '../usage.ts'
import type { Provider, ResultClearing, Wire } from '../wire.ts'
import { cacheMarkers } from './validate-cache.ts'

const provider: Provider = {
  name: 'anthropic',
  address: 'https://api.anthropic.com',
  claims(path, headers) {
    if (headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined)
      return true
    if (/^bearer sk-ant-/i.test(String(headers.authorization ?? ''))) return true
    return path.startsWith('/v1/messages/') || !path.startsWith('/v1/')
  },
}

/** Context editing: https://platform.claude.com/docs/en/build-with-claude/context-editing */
const clearing: ResultClearing = {
  member: 'context_management',
  header: ['anthropic-beta', 'context-management-2025-06-27'],
  defaultTriggerTokens: 100_000,
  defaultKeptResults: 3,
  instruction: ({ triggerTokens, keptResults, leastTokens, excludedTools }) => ({
    edits: [
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: triggerTokens },
        keep: { type: 'tool_uses', value: keptResults },
        clear_at_least: { type: 'input_tokens', value: leastTokens },
        ...(excludedTools.length === 0 ? {} : { exclude_tools: excludedTools }),
      },
    ],
  }),
}

export const anthropicWire: Wire = {
  provider,
  readPath(path) {
    // OpenAI's threads API also has paths that end in `messages`.
    if (path.includes('/threads/')) return null
    const match = /\/messages(\/count_tokens)?\/?$/.exec(path)
    return match === null ? null : { purpose: match[1] ? 'count' : 'answer', model: null }
  },
  recognises: (body: RawNode) =>
    body.child('messages')?.isArray === true && looksLikeMessagesApi(body),
  takeUsage(answer, into) {
    // In a stream, the first event has the usage inside `message`.
    for (const { context_management: management, usage } of [answer, objectOf(answer.message)]) {
      if (isJsonObject(management)) takeCleared(management, into)
      if (isJsonObject(usage)) takeCounts(usage, into)
    }
  },
  // The API joins consecutive messages of one role.
  insertion: {
    message: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
    join: null,
  },
  sessionIn: () => null,
  // The SDK's tool runner continues a thread, which the provider keeps.
  isContinuation: (body) =>
    /^\{[^{}]*"type"\s*:\s*"continue"/.test(memberText(body, 'thread') ?? ''),
  // Clients ask for one lifetime in all parts of a request, and always mark the system prompt.
  lifetimeIn({ system }) {
    const markers = cacheMarkers({ system: parseJson(system) })
    if (markers.length === 0) return undefined
    return markers.some(({ ttl }) => ttl === '1h') ? 'long' : 'short'
  },
  mayBeCached: (body) => textAfter(body, '"cache_control"') !== null,
  clearing,
  toolsIn: flatTools,
}

function takeCounts(usage: JsonObject, into: PartialUsage): void {
  const output = tokenCount(usage.output_tokens)
  if (output !== null) into.output = output
  const uncached = tokenCount(usage.input_tokens)
  // The last event of a stream may contain only the output.
  if (uncached === null) return
  const cacheRead = tokenCount(usage.cache_read_input_tokens) ?? 0
  const cacheWrite = tokenCount(usage.cache_creation_input_tokens) ?? 0
  into.cacheRead = cacheRead
  into.cacheWrite = cacheWrite
  into.input = uncached + cacheRead + cacheWrite
  const long = tokenCount(objectOf(usage.cache_creation).ephemeral_1h_input_tokens)
  if (long !== null) into.cacheWriteLong = long
}

function takeCleared({ applied_edits: edits }: JsonObject, into: PartialUsage): void {
  const counts = arrayOf(edits).map((edit) => tokenCount(objectOf(edit).cleared_input_tokens) ?? 0)
  if (counts.length > 0) into.cleared = counts.reduce((sum, count) => sum + count, 0)
}

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
function looksLikeMessagesApi(body: RawNode): boolean {
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
