import type { ItemDraft } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { jsonText, textOf } from '../json-fields.ts'
import { contentItems } from './blocks.ts'

/** Attachments that Claude Code writes for itself and its user interface; the model never sees them. */
const silent: ReadonlySet<string> = new Set([
  'already_read_file',
  'command_permissions',
  'dynamic_skill',
  'edited_image_file',
  'hook_cancelled',
  'hook_error_during_execution',
  'hook_non_blocking_error',
  'hook_permission_decision',
  'hook_system_message',
  'max_turns_reached',
  'structured_output',
])

/** Where an attachment names what it is about, and where it holds what the model reads, most telling first. */
const nameFields = ['filename', 'path', 'displayPath', 'hookName', 'uri', 'newDate'] as const
const contentFields = [
  'content',
  'snippet',
  'prompt',
  'addedLines',
  'addedBlocks',
  'blockingError',
  'text',
  'message',
  'files',
  'diff',
] as const

/**
 * What the model saw of an `attachment` line (Claude Code 2.1.1xx and later): text that the agent adds to the user's
 * turn. The recording holds its parts, not its wording, which differs between versions; so the parts are given in a
 * `<system-reminder>`, as the agent sends them. A prompt that waited in the queue is the user's own and stands bare.
 */
export function attachmentItems(attachment: JsonObject): readonly ItemDraft[] {
  const type = textOf(attachment.type) ?? ''
  if (silent.has(type)) return []
  if (type === 'queued_command') return contentItems(attachment.prompt, () => [])
  const content = contentFields.map((field) => contentText(attachment[field])).find((text) => text)
  const name = nameFields.map((field) => textOf(attachment[field])).find((text) => text)
  if (type === 'hook_success' && content === undefined) return []
  if (content === undefined && name === undefined) return []
  const parts = [name === undefined ? type : `${type} ${name}`, content].filter((part) => part)
  return [{ kind: 'text', text: `<system-reminder>\n${parts.join('\n')}\n</system-reminder>` }]
}

function contentText(value: unknown): string | undefined {
  if (typeof value === 'string') return textOf(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined
    return value
      .map((entry) => contentText(entry) ?? (isJsonObject(entry) ? jsonText(entry) : ''))
      .filter((text) => text !== '')
      .join('\n')
  }
  if (!isJsonObject(value)) return undefined
  if (isJsonObject(value.file)) return contentText(value.file.content)
  return textOf(value.content) ?? textOf(value.text) ?? textOf(arrayOf(value.contents).join('\n'))
}
