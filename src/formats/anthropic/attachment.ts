import { arrayOf, isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { type AttachmentText, describeData, describeUrl } from '../body/attachment-text.ts'
import type { Path, TextFrame } from '../body/dialect.ts'
import type { EntryBuilder } from '../body/entry-builder.ts'

interface AttachmentContext {
  /** The text block that can replace it. */
  readonly frame: TextFrame
  /** The call whose result contains it. */
  readonly call?: string
}

/** Adds an image, a document or a search result. Returns false if its shape is unknown. */
export function addAttachment(
  builder: EntryBuilder,
  block: JsonObject,
  path: Path,
  context: AttachmentContext,
): boolean {
  const described = block.type === 'search_result' ? describeSearchResult(block) : describe(block)
  if (described === null) return false
  const { frame, call } = context
  builder.add(
    { kind: 'attachment', ...described, ...(call === undefined ? {} : { call }) },
    { kind: 'block', path, frame },
  )
  return true
}

function describe(block: JsonObject): AttachmentText | null {
  const { source } = block
  const word = String(block.type)
  if (!isJsonObject(source)) return null
  const media = typeof source.media_type === 'string' ? source.media_type : word
  switch (source.type) {
    case 'base64':
      return typeof source.data === 'string' ? describeData(media, source.data) : null
    case 'text':
      return typeof source.data === 'string' ? { media, text: source.data } : null
    case 'url':
      return typeof source.url === 'string' ? describeUrl(media, source.url) : null
    case 'file':
      return typeof source.file_id === 'string' ? { media, text: source.file_id } : null
    case 'content':
      return { media, text: textOf(source.content) }
    default:
      return null
  }
}

function describeSearchResult(block: JsonObject): AttachmentText {
  const heading = [block.title, block.source].filter((part) => typeof part === 'string')
  return { media: 'search_result', text: [...heading, textOf(block.content)].join('\n') }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = arrayOf(content).map((part) => (isJsonObject(part) ? part.text : null))
  return texts.filter((text) => typeof text === 'string').join('\n')
}
