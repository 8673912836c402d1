import type { JsonObject } from '../../src/core/words/json.ts'
import { type Answer, inputJson, pieces, type StreamEvent, type Written } from './answer.ts'
import { asString } from './json.ts'

/** Writes an answer as the Messages API does. */
export function writeAnthropic(answer: Answer): Written {
  const content = contentBlocks(answer)
  const stopReason = answer.calls.length > 0 ? 'tool_use' : 'end_turn'
  const usage = usageFields(answer)
  const message = {
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  }
  const managed = answer.management === null ? {} : { context_management: answer.management }
  const opening = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  }
  return {
    body: { ...message, ...managed },
    events: [
      event({ type: 'message_start', message: opening }),
      event({ type: 'ping' }),
      ...content.flatMap((block, index) => blockEvents(block, index)),
      event({
        type: 'message_delta',
        delta: { stop_reason: stopReason, stop_sequence: null },
        usage,
        ...managed,
      }),
      event({ type: 'message_stop' }),
    ],
  }
}

function contentBlocks(answer: Answer): readonly JsonObject[] {
  const { reasoning, text } = answer
  const blocks: JsonObject[] = []
  if (reasoning !== null) {
    blocks.push(
      reasoning.redacted
        ? { type: 'redacted_thinking', data: reasoning.signature }
        : { type: 'thinking', thinking: reasoning.text, signature: reasoning.signature },
    )
  }
  if (text !== '') blocks.push({ type: 'text', text })
  for (const call of answer.calls) {
    const input: unknown = JSON.parse(inputJson(call))
    blocks.push({ type: 'tool_use', id: call.id, name: call.name, input })
  }
  return blocks
}

function usageFields({ usage }: Answer): JsonObject {
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite - usage.cacheWriteForAnHour,
      ephemeral_1h_input_tokens: usage.cacheWriteForAnHour,
    },
    output_tokens: usage.output,
    service_tier: 'standard',
  }
}

function blockEvents(block: JsonObject, index: number): readonly StreamEvent[] {
  const { opening, deltas } = streamed(block)
  return [
    event({ type: 'content_block_start', index, content_block: opening }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

function streamed(block: JsonObject): {
  readonly opening: JsonObject
  readonly deltas: readonly JsonObject[]
} {
  switch (block.type) {
    case 'text':
      return {
        opening: { type: 'text', text: '' },
        deltas: pieces(asString(block.text)).map((text) => ({ type: 'text_delta', text })),
      }
    case 'thinking': {
      const thinking = asString(block.thinking)
      const texts = thinking === '' ? [] : pieces(thinking)
      return {
        opening: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...texts.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
          { type: 'signature_delta', signature: block.signature },
        ],
      }
    }
    case 'tool_use':
      return {
        opening: { ...block, input: {} },
        deltas: ['', ...pieces(JSON.stringify(block.input), 160)].map((piece) => ({
          type: 'input_json_delta',
          partial_json: piece,
        })),
      }
    default:
      return { opening: block, deltas: [] }
  }
}

function event(data: JsonObject & { readonly type: string }): StreamEvent {
  return { event: data.type, data }
}
