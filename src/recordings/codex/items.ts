import type { ItemDraft, ReasoningDraft, ResultStatus, Role } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { statusByText } from '../../formats/failed-result.ts'
import { attachmentItem, mediaOfUrl } from '../attachment-items.ts'
import { inputText, jsonText, textOf } from '../json-fields.ts'

/** One `response_item`. */
export type CodexItem =
  | { readonly kind: 'message'; readonly role: Role; readonly items: readonly ItemDraft[] }
  | { readonly kind: 'reasoning'; readonly item: ReasoningDraft }
  | {
      readonly kind: 'call'
      readonly tool: string
      /** The recorded call id; null if the provider ran the tool, so no result is recorded. */
      readonly recorded: string | null
      readonly text: string
    }
  | { readonly kind: 'result'; readonly recorded: string; readonly payload: JsonObject }
  | { readonly kind: 'marker'; readonly marker: string; readonly role: Role; readonly text: string }

/** Items for Codex's undo. They are never sent to the model. */
const undoItems: ReadonlySet<string> = new Set(['ghost_snapshot', 'ghost_commit'])
const roles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant'])

/** Reads a response item. Returns null if it is not part of the conversation. */
export function codexItem(payload: JsonObject): CodexItem | null {
  const type = textOf(payload.type)
  if (type === undefined || undoItems.has(type)) return null
  if (type === 'message') return messageItem(payload)
  if (type === 'reasoning') return { kind: 'reasoning', item: reasoningItem(payload) }
  if (type.endsWith('_output')) {
    return { kind: 'result', recorded: textOf(payload.call_id) ?? '', payload }
  }
  if (type.endsWith('_call')) return callItem(type, payload)
  const { encrypted_content: _, ...readable } = payload
  return {
    kind: 'marker',
    marker: type,
    role: type === 'additional_tools' ? 'developer' : 'user',
    text: 'encrypted_content' in payload ? '' : inputText(readable),
  }
}

/** A result and its attachments. The text keeps the header that Codex prints. */
export function resultItems(
  payload: JsonObject,
  { call, tool }: { readonly call: string; readonly tool: string },
): readonly ItemDraft[] {
  const output = payload.output ?? payload.tools ?? ''
  const framed = isJsonObject(output) && 'content' in output
  const content = framed ? output.content : output
  // The list of tools that a tool search found is data, not message content.
  if (!Array.isArray(content) || payload.output === undefined) {
    const text = inputText(content)
    const failed = isJsonObject(output) && output.success === false
    return [
      { kind: 'result', tool, call, status: failed ? 'error' : statusByText(tool, text), text },
    ]
  }
  const parts = contentParts(content, call)
  const texts = parts.filter((part) => part.kind !== 'attachment').map((part) => part.text)
  const text = texts.join('\n')
  const failed = framed && output.success === false
  const status: ResultStatus = failed ? 'error' : statusByText(tool, text)
  return [
    { kind: 'result', tool, call, status, text },
    ...parts.filter((part) => part.kind === 'attachment'),
  ]
}

function messageItem(payload: JsonObject): CodexItem {
  const role = roles.has(payload.role) ? (payload.role as Role) : 'user'
  const content = typeof payload.content === 'string' ? [payload.content] : payload.content
  return { kind: 'message', role, items: contentParts(arrayOf(content)) }
}

function contentParts(content: readonly unknown[], call?: string): readonly ItemDraft[] {
  return content.flatMap((part): readonly ItemDraft[] => {
    if (typeof part === 'string') return part === '' ? [] : [{ kind: 'text', text: part }]
    if (!isJsonObject(part)) return []
    if (part.type === 'input_image') {
      const data = textOf(part.image_url) ?? textOf(part.file_id) ?? ''
      return [attachmentItem({ media: mediaOfUrl(data, 'image'), data, call })]
    }
    if (part.type === 'input_file' || part.type === 'input_audio') {
      const data = textOf(part.file_data) ?? textOf(part.file_url) ?? textOf(part.file_id) ?? ''
      return [attachmentItem({ media: mediaOfUrl(data, part.type.slice(6)), data, call })]
    }
    const text = textOf(part.text) ?? textOf(part.refusal)
    if (text !== undefined) return [{ kind: 'text', text }]
    return 'text' in part ? [] : [{ kind: 'text', text: jsonText(part), opaque: true }]
  })
}

function reasoningItem(payload: JsonObject): ReasoningDraft {
  const parts = [...arrayOf(payload.summary), ...arrayOf(payload.content)]
  const texts = parts.map((part) => (isJsonObject(part) ? textOf(part.text) : undefined))
  const text = texts.filter((part) => part !== undefined).join('\n')
  if (text === '') return { kind: 'reasoning', text, binding: 'opaque' }
  return {
    kind: 'reasoning',
    text,
    binding: textOf(payload.encrypted_content) ? 'signed' : 'plain',
  }
}

function callItem(type: string, payload: JsonObject): CodexItem {
  const name = textOf(payload.name) ?? type.slice(0, -'_call'.length)
  const namespace = textOf(payload.namespace)
  const separator = namespace?.endsWith('__') ? '' : '__'
  const tool = namespace === undefined ? name : `${namespace}${separator}${name}`
  const input = payload.arguments ?? payload.input ?? payload.action ?? {}
  return { kind: 'call', tool, recorded: textOf(payload.call_id) ?? null, text: inputText(input) }
}
