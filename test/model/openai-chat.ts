import { type JsonObject, objectOf } from '../../src/core/words/json.ts'
import { type Answer, inputJson, pieces, type StreamEvent, type Written } from './answer.ts'
import type { ModelRequest } from './api.ts'

/** Writes an answer as Chat Completions does; reasoning as `reasoning_content`, the field of DeepSeek and Kimi. */
export function writeOpenAiChat(answer: Answer, request: ModelRequest): Written {
  const finish = answer.calls.length > 0 ? 'tool_calls' : 'stop'
  const usage = usageFields(answer)
  const toolCalls = answer.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: inputJson(call) },
  }))
  const message = {
    role: 'assistant',
    content: answer.text === '' ? null : answer.text,
    ...(answer.reasoning === null ? {} : { reasoning_content: answer.reasoning.text }),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    refusal: null,
  }
  const envelope = { id: answer.id, created: answer.createdAt, model: answer.model }
  const chunk = (delta: JsonObject, finishReason: string | null = null): StreamEvent => ({
    data: {
      ...envelope,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finishReason, logprobs: null }],
    },
  })
  const wantsUsage = objectOf(request.body.stream_options).include_usage === true
  const usageChunk = {
    data: { ...envelope, object: 'chat.completion.chunk', choices: [], usage },
  }
  return {
    body: {
      ...envelope,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
      usage,
    },
    events: [
      chunk({ role: 'assistant', content: '' }),
      ...(answer.reasoning === null ? [] : pieces(answer.reasoning.text)).map((piece) =>
        chunk({ reasoning_content: piece }),
      ),
      ...(answer.text === '' ? [] : pieces(answer.text)).map((piece) => chunk({ content: piece })),
      ...toolCalls.flatMap((call, index) => callDeltas(call, index)).map((delta) => chunk(delta)),
      chunk({}, finish),
      ...(wantsUsage ? [usageChunk] : []),
      { data: '[DONE]' },
    ],
  }
}

interface ChatCall {
  readonly id: string
  readonly type: string
  readonly function: { readonly name: string; readonly arguments: string }
}

function callDeltas(call: ChatCall, index: number): readonly JsonObject[] {
  const opening = {
    index,
    id: call.id,
    type: call.type,
    function: { name: call.function.name, arguments: '' },
  }
  return [
    { tool_calls: [opening] },
    ...pieces(call.function.arguments, 160).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]
}

function usageFields({ usage }: Answer): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}
