import { isJsonObject, type JsonObject } from '../../core/words/json.ts'
import { type AttachmentText, describeData, describeUrl } from '../body/attachment-text.ts'
import { isPlainBytes } from '../object/plain-value.ts'

/** Types of message parts and result elements that contain a file, in all versions. */
const fileTypes: ReadonlySet<unknown> = new Set([
  'file',
  'image',
  'media',
  'file-data',
  'file-url',
  'file-id',
  'file-reference',
  'image-data',
  'image-url',
  'image-file-id',
  'image-file-reference',
  'reasoning-file',
])

/** Describes the file of a part; null if the part has none or its form is unknown. */
export function describeFile(part: JsonObject): AttachmentText | null {
  if (!fileTypes.has(part.type)) return null
  const type = String(part.type)
  const media =
    typeof part.mediaType === 'string' ? part.mediaType : type.startsWith('image') ? 'image' : type
  const { fileId } = part
  if (typeof fileId === 'string') return { media, text: fileId }
  const content = part.data ?? part.image ?? part.url ?? fileId ?? part.providerReference
  return describeContent(media, content)
}

function describeContent(media: string, content: unknown): AttachmentText | null {
  // Every URL has a colon; base64 has none.
  if (typeof content === 'string') {
    return content.includes(':') ? describeUrl(media, content) : describeData(media, content)
  }
  if (!isJsonObject(content)) return null
  if (isPlainBytes(content)) {
    return { media, text: `${media}, ${content.byteLength} bytes, sha256 ${content.sha256}` }
  }
  switch (content.type) {
    case 'data':
      return describeContent(media, content.data)
    case 'url':
      return describeContent(media, content.url)
    case 'text':
      return typeof content.text === 'string' ? { media, text: content.text } : null
    case 'reference':
      return { media, text: JSON.stringify(content.reference ?? null) }
    default:
      return { media, text: JSON.stringify(content) }
  }
}
