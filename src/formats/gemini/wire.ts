import { arrayOf, objectOf } from '../../core/words/json.ts'
import { flatTools } from '../tool-definitions.ts'
import { tokenCount } from '../usage.ts'
import type { Provider, Wire } from '../wire.ts'

const provider: Provider = {
  name: 'gemini',
  address: 'https://generativelanguage.googleapis.com',
  claims: (path, headers) =>
    headers['x-goog-api-key'] !== undefined || /^\/(upload\/)?v1(beta|alpha)\//.test(path),
}

export const geminiWire: Wire = {
  provider,
  readPath(path) {
    const method = /:(generateContent|streamGenerateContent|countTokens)$/.exec(path)?.[1]
    if (method === undefined) return null
    return { purpose: method === 'countTokens' ? 'count' : 'answer', model: modelIn(path) }
  },
  recognises: (body) => body.child('contents')?.isArray === true,
  takeUsage(answer, into) {
    // Code Assist wraps the answer in `response`.
    for (const { usageMetadata } of [answer, objectOf(answer.response)]) {
      const usage = objectOf(usageMetadata)
      const input = tokenCount(usage.promptTokenCount)
      if (input === null) continue
      const thoughts = tokenCount(usage.thoughtsTokenCount) ?? 0
      into.input = input
      into.output = (tokenCount(usage.candidatesTokenCount) ?? 0) + thoughts
      into.cacheRead = tokenCount(usage.cachedContentTokenCount) ?? 0
    }
  },
  insertion: {
    message: (text) => ({ role: 'user', parts: [{ text }] }),
    join: { member: 'parts', part: (text) => ({ text }), behindResults: true },
  },
  sessionIn: () => null,
  isContinuation: () => false,
  lifetimeIn: () => undefined,
  mayBeCached: () => true,
  clearing: null,
  *toolsIn(tools) {
    for (const tool of arrayOf(tools).map(objectOf)) {
      yield* flatTools(tool.functionDeclarations ?? tool.function_declarations)
    }
  },
}

function modelIn(path: string): string | null {
  const name = /\/models\/([^/]+):[A-Za-z]+$/.exec(path)?.[1]
  if (name === undefined) return null
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
