import { arrayOf, isJsonObject, objectOf } from '../../core/words/json.ts'
import { definitionOf } from '../tool-definitions.ts'
import { tokenCount } from '../usage.ts'
import type { Wire } from '../wire.ts'
import { openai, promptCacheKey } from './provider.ts'

export const openaiChatWire: Wire = {
  provider: openai,
  readPath: (path) =>
    /\/chat\/completions\/?$/.test(path) ? { purpose: 'answer', model: null } : null,
  recognises: (body) => body.child('messages')?.isArray === true,
  takeUsage({ usage }, into) {
    const { prompt_tokens, prompt_tokens_details, ...counts } = objectOf(usage)
    const input = tokenCount(prompt_tokens)
    if (input === null) return
    const cached = objectOf(prompt_tokens_details).cached_tokens
    into.input = input
    into.output = tokenCount(counts.completion_tokens) ?? 0
    into.cacheRead = tokenCount(cached) ?? tokenCount(counts.prompt_cache_hit_tokens) ?? 0
  },
  // Some servers with this API require alternating roles.
  insertion: {
    message: (text) => ({ role: 'user', content: text }),
    join: {
      member: 'content',
      part: (text) => ({ type: 'text', text }),
      behindResults: false,
    },
  },
  sessionIn: promptCacheKey,
  isContinuation: () => false,
  lifetimeIn: () => undefined,
  mayBeCached: () => true,
  clearing: null,
  *toolsIn(tools) {
    for (const tool of arrayOf(tools).filter(isJsonObject)) {
      const called = isJsonObject(tool.function) ? tool.function : tool
      const definition = definitionOf(called, tool.type === 'function' ? null : tool.type)
      if (definition !== null) yield definition
    }
  },
}
