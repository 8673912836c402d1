import { type JsonObject, objectOf } from '../../src/core/words/json.ts'
import { type Answer, inputJson, pieces, type Written } from './answer.ts'
import type { ModelRequest } from './api.ts'

/** Writes an answer as generateContent and streamGenerateContent do. The first call carries the thought signature. */
export function writeGemini(answer: Answer, request: ModelRequest): Written {
  const usage = usageFields(answer)
  const envelope = { modelVersion: answer.model, responseId: answer.id }
  const chunk = (parts: readonly JsonObject[], finishReason?: string): JsonObject => ({
    candidates: [
      {
        content: { role: 'model', parts },
        ...(finishReason === undefined ? {} : { finishReason }),
        index: 0,
      },
    ],
    usageMetadata: usage,
    ...envelope,
  })
  const thoughts = thoughtParts(answer, request)
  const texts = answer.text === '' ? [] : pieces(answer.text).map((text) => ({ text }))
  const calls = callParts(answer)
  const streamed = [...thoughts, ...texts, ...calls]
  return {
    body: chunk(
      [...thoughts, ...(answer.text === '' ? [] : [{ text: answer.text }]), ...calls],
      'STOP',
    ),
    events: [...streamed.map((part) => chunk([part])), chunk([{ text: '' }], 'STOP')].map(
      (data) => ({ data }),
    ),
  }
}

function thoughtParts(answer: Answer, request: ModelRequest): readonly JsonObject[] {
  const config = objectOf(objectOf(request.body.generationConfig).thinkingConfig)
  if (answer.reasoning === null || config.includeThoughts !== true) return []
  return [{ text: answer.reasoning.text, thought: true }]
}

function callParts(answer: Answer): readonly JsonObject[] {
  const { calls, reasoning } = answer
  return calls.map((call, index) => ({
    functionCall: { id: call.id, name: call.name, args: JSON.parse(inputJson(call)) as unknown },
    ...(index === 0 && reasoning !== null ? { thoughtSignature: reasoning.signature } : {}),
  }))
}

function usageFields({ usage }: Answer): JsonObject {
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - usage.reasoning,
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
    totalTokenCount: usage.input + usage.output,
  }
}
