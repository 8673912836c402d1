import type { ItemDraft, Usage } from '../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { attachmentItem } from './attachment-items.ts'
import { countOf, inputText, nonZeroUsage, outputText, textOf } from './json-fields.ts'

/** Returns a unique id for a recorded call id. */
export type CallNaming = (recorded: string, tool: string) => string

/** Reads the content of a user or assistant message. */
export function readBlocks(content: unknown, nameCall: CallNaming): readonly ItemDraft[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return arrayOf(content).flatMap((block) =>
    isJsonObject(block) ? readBlock(block, nameCall) : [],
  )
}

/** The system prompt, which Pi records since 0.87, as sections in the order in which they are sent. */
export function readSystemPrompt({ content, sections }: JsonObject): readonly ItemDraft[] {
  const texts = [content, ...Object.values(objectOf(sections))].flatMap(
    (text) => textOf(text) ?? [],
  )
  return texts.length === 0 ? [] : [{ kind: 'text', text: texts.join('\n\n') }]
}

function readBlock(block: JsonObject, nameCall: CallNaming): readonly ItemDraft[] {
  switch (block.type) {
    case 'text': {
      const text = textOf(block.text)
      return text === undefined ? [] : [{ kind: 'text', text }]
    }
    case 'thinking':
      return readThinking(block)
    case 'toolCall': {
      const tool = textOf(block.name) ?? ''
      const call = nameCall(textOf(block.id) ?? '', tool)
      return [{ kind: 'call', tool, call, text: readArguments(block) }]
    }
    case 'image':
      return [readImage(block)]
    default:
      return [{ kind: 'marker', marker: textOf(block.type) ?? 'block', text: '' }]
  }
}

/** A call that was interrupted while streaming has the incomplete JSON in `partialJson`. */
function readArguments(block: JsonObject): string {
  const { arguments: input } = block
  const partial = textOf(block.partialJson)
  if (partial !== undefined && Object.keys(objectOf(input)).length === 0) return partial
  return inputText(input ?? {})
}

function readThinking(block: JsonObject): readonly ItemDraft[] {
  const text = textOf(block.thinking) ?? ''
  const signature = textOf(block.thinkingSignature)
  // With Chat Completions the "signature" is the name of the response field.
  const isSigned = signature !== undefined && !/^reasoning(_\w+)?$/.test(signature)
  if (text === '' || block.redacted === true) {
    return isSigned ? [{ kind: 'reasoning', binding: 'opaque', text: '' }] : []
  }
  return [{ kind: 'reasoning', binding: isSigned ? 'signed' : 'plain', text }]
}

function readImage(block: JsonObject, call?: string): ItemDraft {
  return attachmentItem({
    media: textOf(block.mimeType) ?? 'image',
    data: textOf(block.data) ?? '',
    call,
  })
}

/** Reads a `toolResult` message. */
export function readToolResult(
  message: JsonObject,
  { tool, call }: { readonly tool: string; readonly call: string },
): readonly ItemDraft[] {
  const blocks = arrayOf(message.content).filter(isJsonObject)
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [outputText(block.text)] : []))
  const text = typeof message.content === 'string' ? message.content : texts.join('\n')
  const images = blocks.filter((block) => block.type === 'image')
  const status = message.isError === true ? 'error' : 'ok'
  return [
    { kind: 'result', tool, call, status, text },
    ...images.map((block) => readImage(block, call)),
  ]
}

/** A command that the user ran with `!`, as sent to the model; commands run with `!!` are not sent. */
export function bashExecutionItem(message: JsonObject): ItemDraft {
  if (message.excludeFromContext === true) {
    return { kind: 'marker', marker: 'bashExecution', text: '' }
  }
  const output = textOf(message.output)
  const lines = [
    `Ran \`${textOf(message.command) ?? ''}\``,
    output === undefined ? '(no output)' : `\`\`\`\n${output}\n\`\`\``,
  ]
  if (message.cancelled === true) lines.push('', '(command cancelled)')
  else if (typeof message.exitCode === 'number' && message.exitCode !== 0) {
    lines.push('', `Command exited with code ${message.exitCode}`)
  }
  const full = textOf(message.fullOutputPath)
  if (message.truncated === true && full !== undefined) {
    lines.push('', `[Output truncated. Full output: ${full}]`)
  }
  return { kind: 'text', text: lines.join('\n') }
}

export function compactionText(summary: string): string {
  return `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`
}

export function branchSummaryText(summary: string): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`
}

/** Pi's `input` excludes tokens read from the cache or written to it. */
export function readUsage(value: unknown): Usage | undefined {
  const usage = objectOf(value)
  const cacheRead = countOf(usage.cacheRead)
  const cacheWrite = countOf(usage.cacheWrite)
  const input = countOf(usage.input) + cacheRead + cacheWrite
  return nonZeroUsage({ input, output: countOf(usage.output), cacheRead, cacheWrite })
}
