import { arrayOf, isJsonObject, objectOf } from '../../core/words/json.ts'
import { memberText } from '../json/find-member.ts'
import { openai, promptCacheKey } from '../openai-chat/provider.ts'
import { flatTools } from '../tool-definitions.ts'
import { tokenCount } from '../usage.ts'
import type { ToolDefinition, Wire } from '../wire.ts'

const purposes = { '/compact': 'compact', '/input_tokens': 'count', '': 'answer' } as const

export const openaiResponsesWire: Wire = {
  provider: openai,
  readPath(path) {
    const match = /\/responses(\/compact|\/input_tokens)?\/?$/.exec(path)
    if (match === null) return null
    return { purpose: purposes[(match[1] ?? '') as keyof typeof purposes], model: null }
  },
  recognises: (body) => body.child('input') !== null,
  takeUsage(answer, into) {
    // In a stream, the last event contains the response.
    for (const { usage } of [answer, objectOf(answer.response)]) {
      const { input_tokens, output_tokens, input_tokens_details } = objectOf(usage)
      const input = tokenCount(input_tokens)
      if (input === null) continue
      into.input = input
      into.output = tokenCount(output_tokens) ?? 0
      into.cacheRead = tokenCount(objectOf(input_tokens_details).cached_tokens) ?? 0
    }
  },
  insertion: {
    message: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    join: null,
  },
  sessionIn: promptCacheKey,
  isContinuation(body) {
    if (memberText(body, 'previous_response_id')?.startsWith('"')) return true
    const conversation = memberText(body, 'conversation')
    return conversation !== null && /^(\{\s*"id"\s*:\s*)?"conv_/.test(conversation)
  },
  lifetimeIn: () => undefined,
  mayBeCached: () => true,
  clearing: null,
  toolsIn: namespacedTools,
}

/** All tools, including those in namespaces, which Codex creates for each MCP server. */
function* namespacedTools(tools: unknown): Generator<ToolDefinition> {
  for (const tool of arrayOf(tools)) {
    yield* flatTools([tool])
    if (isJsonObject(tool)) yield* namespacedTools(tool.tools)
  }
}
