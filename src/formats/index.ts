import { anthropic } from './anthropic/index.ts'
import { anthropicWire } from './anthropic/wire.ts'
import type { Body, BodyFormatName, Format } from './format.ts'
import { gemini } from './gemini/index.ts'
import { geminiWire } from './gemini/wire.ts'
import { rootOf } from './json/raw-node.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiChatWire } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/index.ts'
import { openaiResponsesWire } from './openai-responses/wire.ts'
import type { Provider, Wire } from './wire.ts'

/** The format of an HTTP API. */
export interface BodyFormat extends Format<Body> {
  readonly wire: Wire
}

/** The formats of HTTP bodies, by name. Where several would take a body or a request, the first one has it. */
export const bodyFormats: Readonly<Record<BodyFormatName, BodyFormat>> = {
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
 * The format of a request. Its path decides where it is given, and null means that it belongs to none of them. Without a
 * path the body is looked at, and the answer is the likeliest one; a short chat without tools looks the same in two
 * formats.
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
