import { isJsonObject, type JsonObject, objectOf, parseJson } from '../core/words/json.ts'
import type { BodyFormatName } from '../formats/format.ts'

/** The APIs of Pi whose requests are understood. */
const formats: Readonly<Record<string, BodyFormatName>> = {
  'anthropic-messages': 'anthropic',
  'openai-completions': 'openai-chat',
  'openai-responses': 'openai-responses',
  'openai-codex-responses': 'openai-responses',
  'azure-openai-responses': 'openai-responses',
  'google-generative-ai': 'gemini',
  'google-vertex': 'gemini',
}

/** The payload of a provider's client, as the body that it becomes. */
export interface PayloadBody {
  readonly format: BodyFormatName
  readonly body: string
  /** The payload for a rewritten body. */
  withBody(body: string): unknown
}

/** null for an API that is not known, and for a payload that cannot become a body. */
export function payloadBody(api: unknown, payload: unknown): PayloadBody | null {
  const format = typeof api === 'string' && Object.hasOwn(formats, api) ? formats[api] : undefined
  if (format === undefined || !isJsonObject(payload)) return null
  return format === 'gemini' ? geminiBody(payload) : plainBody(format, payload)
}

function plainBody(format: BodyFormatName, payload: JsonObject): PayloadBody {
  return { format, body: JSON.stringify(payload), withBody: parseJson }
}

/** Google's client takes the parts of the body in `config`. Only the contents are ever changed. */
function geminiBody(payload: JsonObject): PayloadBody {
  const { model, contents } = payload
  const { systemInstruction, tools } = objectOf(payload.config)
  return {
    format: 'gemini',
    body: JSON.stringify({ model, systemInstruction, tools, contents }),
    withBody: (body) => ({ ...payload, contents: objectOf(parseJson(body)).contents }),
  }
}
