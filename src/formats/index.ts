import { anthropic } from './anthropic/index.ts'
import type { Body, BodyFormatName, Format } from './format.ts'
import { gemini } from './gemini/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

export { detectBodyFormat } from './detect-body-format.ts'

/** The formats of HTTP bodies, by name. */
export const bodyFormats: Readonly<Record<BodyFormatName, Format<Body>>> = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
}
