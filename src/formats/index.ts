import { anthropic } from './anthropic/index.ts'
import { anthropicWire } from './anthropic/wire.ts'
import type { Body, BodyFormat, BodyFormatName } from './format.ts'
import { gemini } from './gemini/index.ts'
import { geminiWire } from './gemini/wire.ts'
import { rootOf } from './json/raw-node.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiChatWire } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/index.ts'
import { openaiResponsesWire } from './openai-responses/wire.ts'
import type { Provider, Wire } from './wire.ts'

/** The format of an HTTP API. */
interface HttpFormat extends BodyFormat {
  readonly wire: Wire
}

/** The formats of HTTP bodies, by name. If several match a request, the first one is used. */
export const bodyFormats: Readonly<Record<BodyFormatName, HttpFormat>> = {
  gemini: { ...gemini, wire: geminiWire },
  anthropic: { ...anthropic, wire: anthropicWire },
  'openai-chat': { ...openaiChat, wire: openaiChatWire },
  'openai-responses': { ...openaiResponses, wire: openaiResponsesWire },
}

const names = Object.keys(bodyFormats) as BodyFormatName[]

/** Each provider once. */
export const providers: readonly Provider[] = [
  ...new Set(names.map((name) => bodyFormats[name].wire.provider)),
]

/**
 * The format of a request: by its path if given, else the most likely one by its body, because a short chat without tools
 * looks the same in two formats. null if no format matches.
 */
export function detectBodyFormat(body: Body, path?: string): BodyFormatName | null {
  if (path !== undefined) {
    const bare = path.split(/[?#]/, 1)[0] ?? ''
    return names.find((name) => bodyFormats[name].wire.readPath(bare) !== null) ?? null
  }
  const root = rootOf(body)
  if (root === null) return null
  return names.find((name) => bodyFormats[name].wire.recognises(root)) ?? null
}
