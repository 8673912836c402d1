import { arrayOf, type JsonObject } from '../../src/core/words/json.ts'
import { type Answer, inputJson, type StreamEvent, type Written } from './answer.ts'
import type { ModelRequest } from './api.ts'
import type { Identifiers } from './identifiers.ts'
import { asString } from './json.ts'
import { itemEvents } from './openai-responses-stream.ts'
import type { IssuedItems } from './response-items.ts'

export interface WrittenResponse extends Written {
  /** The ids that the answer's items have, when it begins with reasoning. */
  readonly items: IssuedItems | null
}

/** Writes an answer as the Responses API does. */
export function writeOpenAiResponses(
  answer: Answer,
  request: ModelRequest,
  identifiers: Identifiers,
): WrittenResponse {
  const output = outputItems(answer, request, identifiers)
  const opening = { ...envelope(answer, request), status: 'in_progress', output: [], usage: null }
  const usage = usageFields(answer)
  const completed = { ...opening, status: 'completed', output, usage }
  const events: readonly JsonObject[] = [
    { type: 'response.created', response: opening },
    { type: 'response.in_progress', response: opening },
    ...output.flatMap((item, index) => itemEvents(item, index)),
    { type: 'response.completed', response: completed },
  ]
  const [first, ...following] = output.map((item) => ({
    id: asString(item.id),
    type: asString(item.type),
  }))
  return {
    body: completed,
    events: events.map((event, sequence): StreamEvent => {
      return { event: asString(event.type), data: { ...event, sequence_number: sequence } }
    }),
    items: first?.type === 'reasoning' ? { reasoning: first.id, following } : null,
  }
}

function outputItems(
  answer: Answer,
  request: ModelRequest,
  identifiers: Identifiers,
): readonly JsonObject[] {
  const items: JsonObject[] = []
  if (answer.reasoning !== null) {
    const encrypted = arrayOf(request.body.include).includes('reasoning.encrypted_content')
    items.push({
      id: identifiers.next('rs_', 40),
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: answer.reasoning.text }],
      ...(encrypted ? { encrypted_content: answer.reasoning.signature } : {}),
    })
  }
  if (answer.text !== '') {
    items.push({
      id: identifiers.next('msg_', 40),
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: answer.text, annotations: [], logprobs: [] }],
    })
  }
  for (const call of answer.calls) {
    if (call.name === 'tool_search') {
      items.push({
        id: identifiers.next('tsc_', 40),
        type: 'tool_search_call',
        status: 'completed',
        call_id: call.id,
        execution: 'client',
        arguments: call.input,
      })
      continue
    }
    const shared = { status: 'completed', call_id: call.id, name: call.name }
    items.push(
      typeof call.input === 'string'
        ? {
            id: identifiers.next('ctc_', 40),
            type: 'custom_tool_call',
            ...shared,
            input: call.input,
          }
        : {
            id: identifiers.next('fc_', 40),
            type: 'function_call',
            ...shared,
            arguments: inputJson(call),
            ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
          },
    )
  }
  return items
}

function envelope(answer: Answer, request: ModelRequest): JsonObject {
  const { body } = request
  return {
    id: answer.id,
    object: 'response',
    created_at: answer.createdAt,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: answer.model,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: body.reasoning ?? null,
    store: body.store ?? true,
    temperature: 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    metadata: {},
  }
}

function usageFields({ usage }: Answer): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  }
}
