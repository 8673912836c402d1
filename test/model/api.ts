import type { JsonObject } from '../../src/core/words/json.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { asString } from './json.ts'

export type Api = BodyFormatName

/** What a path of one of the providers asks for. */
export interface Route {
  readonly api: Api
  readonly purpose: 'answer' | 'count'
  /** Gemini says both in the path; the others in the body. */
  readonly model?: string
  readonly stream?: boolean
}

/** A request to the model, once it is known to be one. */
export interface ModelRequest {
  readonly api: Api
  readonly model: string
  readonly stream: boolean
  readonly body: JsonObject
}

const geminiPath = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/

/** Which provider's model a request addresses; null for everything else. Any base path may stand in front. */
export function routeOf(method: string, path: string): Route | null {
  if (method !== 'POST') return null
  if (path.endsWith('/messages/count_tokens')) return { api: 'anthropic', purpose: 'count' }
  if (path.endsWith('/messages')) return { api: 'anthropic', purpose: 'answer' }
  if (path.endsWith('/chat/completions')) return { api: 'openai-chat', purpose: 'answer' }
  if (path.endsWith('/responses/input_tokens')) return { api: 'openai-responses', purpose: 'count' }
  if (path.endsWith('/responses')) return { api: 'openai-responses', purpose: 'answer' }
  const gemini = geminiPath.exec(path)
  if (gemini === null) return null
  return {
    api: 'gemini',
    purpose: gemini[2] === 'countTokens' ? 'count' : 'answer',
    model: gemini[1]!,
    stream: gemini[2] === 'streamGenerateContent',
  }
}

export function modelRequest(route: Route, body: JsonObject): ModelRequest {
  return {
    api: route.api,
    model: route.model ?? asString(body.model),
    stream: route.stream ?? body.stream === true,
    body,
  }
}
