import { arrayOf, type JsonObject, objectOf } from '../../src/core/words/json.ts'
import { pieces } from './answer.ts'
import { asString } from './json.ts'

/** The events that deliver one output item, without their sequence numbers. */
export function itemEvents(item: JsonObject, index: number): readonly JsonObject[] {
  const place = { item_id: item.id, output_index: index }
  const { opening, inner } = streamed(item, place)
  return [
    { type: 'response.output_item.added', output_index: index, item: opening },
    ...inner,
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

interface Streamed {
  readonly opening: JsonObject
  readonly inner: readonly JsonObject[]
}

function streamed(item: JsonObject, place: JsonObject): Streamed {
  switch (item.type) {
    case 'reasoning':
      return streamedReasoning(item, place)
    case 'message':
      return streamedMessage(item, place)
    case 'tool_search_call':
      return { opening: { ...item, status: 'in_progress' }, inner: [] }
    case 'custom_tool_call':
      return streamedInput(item, place, 'input', 'response.custom_tool_call_input')
    default:
      return streamedInput(item, place, 'arguments', 'response.function_call_arguments')
  }
}

function streamedReasoning(item: JsonObject, place: JsonObject): Streamed {
  const part = objectOf(arrayOf(item.summary)[0])
  const text = asString(part.text)
  const at = { ...place, summary_index: 0 }
  return {
    opening: { ...item, summary: [] },
    inner: [
      {
        type: 'response.reasoning_summary_part.added',
        ...at,
        part: { type: 'summary_text', text: '' },
      },
      ...pieces(text).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        ...at,
        delta,
      })),
      { type: 'response.reasoning_summary_text.done', ...at, text },
      { type: 'response.reasoning_summary_part.done', ...at, part },
    ],
  }
}

function streamedMessage(item: JsonObject, place: JsonObject): Streamed {
  const part = objectOf(arrayOf(item.content)[0])
  const text = asString(part.text)
  const at = { ...place, content_index: 0 }
  return {
    opening: { ...item, status: 'in_progress', content: [] },
    inner: [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({
        type: 'response.output_text.delta',
        ...at,
        delta,
        logprobs: [],
      })),
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ],
  }
}

function streamedInput(
  item: JsonObject,
  place: JsonObject,
  field: 'input' | 'arguments',
  eventName: string,
): Streamed {
  const text = asString(item[field])
  return {
    opening: { ...item, status: 'in_progress', [field]: '' },
    inner: [
      ...pieces(text, 160).map((delta) => ({ type: `${eventName}.delta`, ...place, delta })),
      { type: `${eventName}.done`, ...place, [field]: text, name: item.name },
    ],
  }
}
