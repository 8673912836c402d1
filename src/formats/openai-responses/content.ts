import type { Role } from '../../core/words/item.ts'
import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import {
  type AttachmentText,
  describeData,
  describeFileData,
  describeUrl,
} from '../body/attachment-text.ts'
import type { Path, TextFrame } from '../body/dialect.ts'
import { type EntryBuilder, textFrame } from '../body/entry-builder.ts'

/** The text part that can replace an attachment in the model's input. */
export const inputFrame: TextFrame = textFrame('input_text')

const outputFrame = textFrame('output_text')
const textTypes = new Set<unknown>(['input_text', 'output_text', 'text'])

/** Adds the content of a message. Returns false if it is not a text or a list of parts. */
export function addContent(builder: EntryBuilder, content: unknown, role: Role): boolean {
  if (typeof content === 'string') {
    builder.addText(content, ['content'])
    return true
  }
  if (!Array.isArray(content)) return false
  const frame = role === 'assistant' ? outputFrame : inputFrame
  for (const [index, part] of content.entries()) {
    const path = ['content', index]
    const text = textOfPart(part)
    if (text !== null) builder.addText(text, [...path, 'text'])
    else if (isJsonObject(part) && part.type === 'refusal' && typeof part.refusal === 'string') {
      builder.addText(part.refusal, [...path, 'refusal'])
    } else addOtherPart(builder, part, path, { frame })
  }
  return true
}

export function textOfPart(part: unknown): string | null {
  return isJsonObject(part) && textTypes.has(part.type) && typeof part.text === 'string'
    ? part.text
    : null
}

interface PartContext {
  readonly frame: TextFrame
  readonly call?: string
}

/** Adds a part that is not a text: an attachment or an unknown part. */
export function addOtherPart(
  builder: EntryBuilder,
  part: unknown,
  path: Path,
  { frame, call }: PartContext,
): void {
  const described = isJsonObject(part) ? describe(part) : null
  if (described === null) {
    const type = isJsonObject(part) && typeof part.type === 'string' ? part.type : 'unknown'
    builder.addOpaque(type, path)
    return
  }
  builder.add(
    { kind: 'attachment', ...described, ...(call === undefined ? {} : { call }) },
    { kind: 'block', path, frame },
  )
}

function describe(part: JsonObject): AttachmentText | null {
  switch (part.type) {
    case 'input_image': {
      // Some servers also accept an object with the URL, as in Chat Completions.
      const url = isJsonObject(part.image_url) ? part.image_url.url : part.image_url
      if (typeof url === 'string') return describeUrl('image', url)
      return typeof part.file_id === 'string' ? { media: 'image', text: part.file_id } : null
    }
    case 'input_file':
      if (typeof part.file_data === 'string') return describeFileData(part.file_data)
      if (typeof part.file_url === 'string') return describeUrl('file', part.file_url)
      return typeof part.file_id === 'string' ? { media: 'file', text: part.file_id } : null
    case 'input_audio': {
      const audio = part.input_audio
      if (!isJsonObject(audio) || typeof audio.data !== 'string') return null
      const media = typeof audio.format === 'string' ? `audio/${audio.format}` : 'audio'
      return describeData(media, audio.data)
    }
    default:
      return null
  }
}
