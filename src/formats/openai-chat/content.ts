import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import {
  type AttachmentText,
  describeData,
  describeFileData,
  describeUrl,
} from '../body/attachment-text.ts'
import type { KnownCall } from '../body/call-index.ts'
import type { Path } from '../body/dialect.ts'
import { type EntryBuilder, textFrame } from '../body/entry-builder.ts'
import { statusByText } from '../failed-result.ts'
import { textOfBlock } from '../text-block.ts'

const frame = textFrame('text')

/** Adds the content of a message. Returns false if it is not a text, a list of parts or empty. */
export function addContent(builder: EntryBuilder, content: unknown): boolean {
  if (content === undefined || content === null) return true
  if (typeof content === 'string') {
    builder.addText(content, ['content'])
    return true
  }
  if (!Array.isArray(content)) return false
  const parts: readonly unknown[] = content
  for (const [index, part] of parts.entries()) {
    const path = ['content', index]
    const text = textOfBlock(part)
    if (text !== null) builder.addText(text, [...path, 'text'])
    else if (isJsonObject(part) && part.type === 'refusal' && typeof part.refusal === 'string') {
      builder.addText(part.refusal, [...path, 'refusal'])
    } else addOther(builder, part, path, null)
  }
  return true
}

/** Adds the content of a tool result. Returns false if it is not a text, a list of parts or empty. */
export function addResultContent(
  builder: EntryBuilder,
  content: unknown,
  known: KnownCall,
): boolean {
  const path = ['content']
  if (content === undefined || content === null || typeof content === 'string') {
    const text = content ?? ''
    const status = statusByText(known.tool, text)
    builder.add({ kind: 'result', ...known, status, text }, { kind: 'string', path })
    return true
  }
  if (!Array.isArray(content)) return false
  const parts: readonly unknown[] = content
  const texts = parts.flatMap((part, index) => (textOfBlock(part) === null ? [] : [index]))
  const text = texts.map((at) => textOfBlock(parts[at])).join('\n')
  const status = statusByText(known.tool, text)
  builder.add({ kind: 'result', ...known, status, text }, { kind: 'texts', path, texts, frame })
  for (const [index, part] of parts.entries()) {
    if (textOfBlock(part) === null) addOther(builder, part, [...path, index], known.call)
  }
  return true
}

function addOther(builder: EntryBuilder, part: unknown, path: Path, call: string | null): void {
  const described = isJsonObject(part) ? describe(part) : null
  if (described !== null) {
    builder.add(
      { kind: 'attachment', ...described, ...(call === null ? {} : { call }) },
      { kind: 'block', path, frame },
    )
    return
  }
  builder.addOpaque(
    isJsonObject(part) && typeof part.type === 'string' ? part.type : 'unknown',
    path,
  )
}

function describe(part: JsonObject): AttachmentText | null {
  switch (part.type) {
    case 'image_url': {
      const url = isJsonObject(part.image_url) ? part.image_url.url : part.image_url
      return typeof url === 'string' ? describeUrl('image', url) : null
    }
    case 'input_audio': {
      const audio = part.input_audio
      if (!isJsonObject(audio) || typeof audio.data !== 'string') return null
      const media = typeof audio.format === 'string' ? `audio/${audio.format}` : 'audio'
      return describeData(media, audio.data)
    }
    case 'file': {
      const { file } = part
      if (!isJsonObject(file)) return null
      if (typeof file.file_data === 'string') return describeFileData(file.file_data)
      return typeof file.file_id === 'string' ? { media: 'file', text: file.file_id } : null
    }
    default:
      return null
  }
}
