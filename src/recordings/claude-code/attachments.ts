import { framed, skillListingHead, taskReminderHeads } from '../../core/words/client-text.ts'
import type { ItemDraft } from '../../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { jsonText, textOf } from '../json-fields.ts'
import { contentItems } from './blocks.ts'

/** Attachments for Claude Code itself or its user interface. They are never sent to the model. */
const neverSent: ReadonlySet<string> = new Set([
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

/** Fields that name the attachment's subject and fields that hold its content, in order of preference. */
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

/** How Claude Code begins a reminder, where that is known. */
const heads: ReadonlyMap<string, string> = new Map([
  ['skill_listing', skillListingHead],
  ['task_reminder', taskReminderHeads[0]],
  ['todo_reminder', taskReminderHeads[1]],
])

/**
 * Reads an `attachment` line (Claude Code 2.1.1xx and later): text that the agent adds to the user's turn. The recording
 * has the fields but not the exact wording, so the fields are put into a `<system-reminder>`, as the agent does. A queued
 * prompt is the user's own text and is not wrapped.
 */
export function attachmentItems(attachment: JsonObject): readonly ItemDraft[] {
  const type = textOf(attachment.type) ?? ''
  if (neverSent.has(type)) return []
  if (type === 'queued_command') return contentItems(attachment.prompt, () => [])
  const content = contentFields.map((field) => contentText(attachment[field])).find((text) => text)
  const name = nameFields.map((field) => textOf(attachment[field])).find((text) => text)
  if (type === 'hook_success' && content === undefined) return []
  if (content === undefined && name === undefined) return []
  const head = heads.get(type) ?? type
  const parts = [name === undefined ? head : `${head} ${name}`, content].filter((part) => part)
  return [{ kind: 'text', text: framed(parts.join('\n')) }]
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
