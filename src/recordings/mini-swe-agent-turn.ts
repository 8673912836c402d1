import type { ItemDraft, Usage } from '../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { contentText, countOf, nonZeroUsage, outputText, textOf } from './json-fields.ts'
import type { UniqueCalls } from './unique-calls.ts'

export interface MiniCall {
  readonly call: string
  readonly tool: string
  /** The id in the result; undefined in the text protocol, which has no ids. */
  readonly recorded: string | undefined
}

export interface MiniTurn {
  readonly items: readonly ItemDraft[]
  readonly calls: readonly MiniCall[]
  /** In the text protocol the agent rejects an answer with more than one command and runs none of them. */
  readonly isRefused: boolean
}

/** Reads an assistant message: tool calls, items of the Responses API, or text with a fenced command. */
export function readTurn(message: JsonObject, calls: UniqueCalls): MiniTurn {
  const toolCalls = arrayOf(message.tool_calls).filter(isJsonObject)
  if (toolCalls.length > 0) return readToolCalls(message, toolCalls, calls)
  if (Array.isArray(message.output)) return readResponse(message.output, calls)
  return readText(message, calls)
}

function readToolCalls(
  message: JsonObject,
  toolCalls: readonly JsonObject[],
  calls: UniqueCalls,
): MiniTurn {
  const items = [...readReasoning(message), ...readContent(message.content)]
  const named: MiniCall[] = []
  for (const toolCall of toolCalls) {
    const { name, arguments: input } = objectOf(toolCall.function)
    const recorded = textOf(toolCall.id)
    const tool = textOf(name) ?? 'bash'
    const call = calls.issue(recorded ?? '', tool)
    items.push({ kind: 'call', tool, call, text: outputText(input) })
    named.push({ call, tool, recorded })
  }
  return { items, calls: named, isRefused: false }
}

function readResponse(output: readonly unknown[], calls: UniqueCalls): MiniTurn {
  const items: ItemDraft[] = []
  const named: MiniCall[] = []
  for (const value of output) {
    const item = objectOf(value)
    if (item.type === 'function_call') {
      const recorded = textOf(item.call_id)
      const tool = textOf(item.name) ?? 'bash'
      const call = calls.issue(recorded ?? '', tool)
      items.push({ kind: 'call', tool, call, text: outputText(item.arguments) })
      named.push({ call, tool, recorded })
    } else if (item.type === 'reasoning') {
      const text = contentText(item.summary)
      const isSealed = textOf(item.encrypted_content) !== undefined
      const binding = isSealed ? (text === '' ? 'opaque' : 'signed') : 'plain'
      if (isSealed || text !== '') items.push({ kind: 'reasoning', binding, text })
    } else {
      items.push(...readContent(item.content))
    }
  }
  return { items, calls: named, isRefused: false }
}

const fence = /```(?:bash|mswea_bash_command)[^\S\n]*\n([\s\S]*?)\n```/g

function readText(message: JsonObject, calls: UniqueCalls): MiniTurn {
  const content = contentText(message.content)
  const blocks = [...content.matchAll(fence)]
  const first = blocks[0]
  const last = blocks.at(-1)
  if (first === undefined || last === undefined) {
    return { items: readContent(content), calls: [], isRefused: false }
  }
  const start = first.index
  const end = last.index + last[0].length
  const call = calls.issue('', 'bash')
  // Several commands become one call, because the agent rejects them together.
  const text = blocks.length === 1 ? first[1]!.trim() : content.slice(start, end)
  const items: ItemDraft[] = [
    ...readContent(content.slice(0, start).trimEnd()),
    { kind: 'call', tool: 'bash', call, text },
    ...readContent(content.slice(end).trim()),
  ]
  return {
    items,
    calls: [{ call, tool: 'bash', recorded: undefined }],
    isRefused: blocks.length > 1,
  }
}

/** Reasoning that the agent sends back to the model. Reasoning that is only in the raw response is not sent. */
function readReasoning(message: JsonObject): readonly ItemDraft[] {
  const blocks = arrayOf(message.thinking_blocks).filter(isJsonObject)
  if (blocks.length > 0) {
    return blocks.map((block): ItemDraft => {
      const text = textOf(block.thinking) ?? ''
      if (text === '') return { kind: 'reasoning', binding: 'opaque', text }
      const binding = textOf(block.signature) === undefined ? 'plain' : 'signed'
      return { kind: 'reasoning', binding, text }
    })
  }
  const text = textOf(message.reasoning_content)
  return text === undefined ? [] : [{ kind: 'reasoning', binding: 'plain', text }]
}

export function readContent(content: unknown): readonly ItemDraft[] {
  const text = contentText(content)
  return text === '' ? [] : [{ kind: 'text', text }]
}

/** Usage of the raw response, from Chat Completions or the Responses API. */
export function readUsage(response: JsonObject): Usage | undefined {
  const usage = objectOf(response.usage)
  const details = objectOf(usage.prompt_tokens_details ?? usage.input_tokens_details)
  return nonZeroUsage({
    input: countOf(usage.prompt_tokens ?? usage.input_tokens),
    output: countOf(usage.completion_tokens ?? usage.output_tokens),
    cacheRead: countOf(details.cached_tokens ?? usage.cache_read_input_tokens),
    cacheWrite: countOf(details.cache_creation_tokens ?? usage.cache_creation_input_tokens),
  })
}
