import type { JsonObject } from '../../core/words/json.ts'
import { type AttachmentText, describeData, describeUrl } from '../body/attachment-text.ts'
import { memberOf, type SpelledMember, stringOf } from './spelling.ts'

/** Describes the inline data or the file of a part; null if it has neither. */
export function describePart(part: JsonObject): AttachmentText | null {
  const inline = memberOf(part, 'inlineData', 'inline_data')
  if (inline !== null && typeof inline.value.data === 'string')
    return describeData(mediaOf(inline), inline.value.data)
  const file = memberOf(part, 'fileData', 'file_data')
  const url = file === null ? '' : stringOf(file.value, 'fileUri', 'file_uri')
  return file === null || url === '' ? null : describeUrl(mediaOf(file), url)
}

function mediaOf({ key, value }: SpelledMember): string {
  return stringOf(value, 'mimeType', 'mime_type') || key
}
