import type { ItemDraft, ResultStatus, Usage } from '../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { attachmentItem } from './attachment-items.ts'
import {
  countOf,
  identityOf,
  jsonText,
  nonZeroUsage,
  outputText,
  textOf,
  timeOf,
} from './json-fields.ts'
import type { UniqueCalls } from './unique-calls.ts'

/** A `gemini` message, split into the model's output and the tool results. */
export interface GeminiAnswer {
  readonly items: readonly ItemDraft[]
  readonly results: readonly ItemDraft[]
  readonly resultsAt: number | undefined
}

/** Reads a message of type `gemini`, which contains calls together with their results. */
export function readAnswer(message: JsonObject, calls: UniqueCalls): GeminiAnswer {
  const items: ItemDraft[] = []
  const results: ItemDraft[] = []
  let resultsAt: number | undefined
  for (const thought of arrayOf(message.thoughts)) {
    const { subject, description } = objectOf(thought)
    const text = [textOf(subject), textOf(description)].filter((line) => line !== undefined)
    if (text.length > 0) items.push({ kind: 'reasoning', binding: 'plain', text: text.join('\n') })
  }
  items.push(...readContent(message.content))
  for (const toolCall of arrayOf(message.toolCalls)) {
    if (!isJsonObject(toolCall)) continue
    const tool = textOf(toolCall.name) ?? ''
    const call = calls.issue(identityOf(toolCall.id) ?? '', tool)
    items.push({ kind: 'call', tool, call, text: jsonText(toolCall.args ?? {}) })
    const outcome = readResult(toolCall, { tool, call })
    if (outcome.length > 0) resultsAt = timeOf(toolCall.timestamp) ?? resultsAt
    results.push(...outcome)
  }
  return { items, results, resultsAt }
}

/** Reads content of a user or a model: a string, a part, or a list of parts. */
export function readContent(content: unknown): readonly ItemDraft[] {
  return partsOf(content).flatMap((part): readonly ItemDraft[] => {
    const text = typeof part === 'string' ? textOf(part) : textOf(objectOf(part).text)
    if (text !== undefined) {
      const isThought = objectOf(part).thought === true
      return [isThought ? { kind: 'reasoning', binding: 'plain', text } : { kind: 'text', text }]
    }
    return readData(part)
  })
}

/** True if the message only repeats tool results, which are already recorded with their calls. */
export function repeatsResults(content: unknown): boolean {
  const parts = partsOf(content)
  return parts.length > 0 && parts.every((part) => isJsonObject(objectOf(part).functionResponse))
}

export function readTokens(value: unknown): Usage | undefined {
  const tokens = objectOf(value)
  return nonZeroUsage({
    input: countOf(tokens.input) + countOf(tokens.tool),
    output: countOf(tokens.output) + countOf(tokens.thoughts),
    cacheRead: countOf(tokens.cached),
    cacheWrite: 0,
  })
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  return content === undefined || content === null ? [] : [content]
}

function readData(part: unknown, call?: string): readonly ItemDraft[] {
  const { inlineData, fileData } = objectOf(part)
  const data = objectOf(inlineData ?? fileData)
  const bytes = textOf(data.data) ?? textOf(data.fileUri)
  if (bytes === undefined) return []
  const media = textOf(data.mimeType) ?? 'file'
  return [attachmentItem({ media, data: bytes, call })]
}

const settled: ReadonlySet<unknown> = new Set(['success', 'error', 'cancelled'])

function readResult(
  toolCall: JsonObject,
  { tool, call }: { readonly tool: string; readonly call: string },
): readonly ItemDraft[] {
  const parts = partsOf(toolCall.result)
  if (parts.length === 0) return []
  const texts: string[] = []
  const attachments: ItemDraft[] = []
  let failed = toolCall.status === 'error' || toolCall.status === 'cancelled'
  for (const part of parts) {
    const { functionResponse, text } = objectOf(part)
    if (isJsonObject(functionResponse)) {
      const response = objectOf(functionResponse.response)
      if (toolCall.status === undefined && response.error != null) failed = true
      texts.push(responseText(functionResponse.response))
      for (const inner of arrayOf(functionResponse.parts))
        attachments.push(...readData(inner, call))
    } else if (typeof part === 'string' || typeof text === 'string') {
      texts.push(outputText(typeof part === 'string' ? part : text))
    } else {
      attachments.push(...readData(part, call))
    }
  }
  const isOpen = toolCall.status !== undefined && !settled.has(toolCall.status)
  const status: ResultStatus = isOpen ? 'running' : failed ? 'error' : 'ok'
  const text = texts.filter((line) => line !== '').join('\n')
  return [{ kind: 'result', tool, call, status, text }, ...attachments]
}

function responseText(response: unknown): string {
  if (!isJsonObject(response)) return outputText(response)
  const keys = Object.keys(response)
  if (keys.length === 1 && 'output' in response) return outputText(response.output)
  if (keys.length === 1 && 'error' in response) return outputText(response.error)
  return keys.length === 0 ? '' : jsonText(response)
}
