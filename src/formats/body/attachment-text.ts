import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** Describes an attachment: its media type, and a text that is the same for the same content. */
export interface AttachmentText {
  readonly media: string
  readonly text: string
}

/**
 * Describes data inside the body by its type, size and digest. Base64 is not used as the text, because its size would be
 * counted as text for the model.
 */
export function describeData(media: string, base64: string): AttachmentText {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  const bytes = Math.max(0, Math.floor((base64.length * 3) / 4) - padding)
  const digest = createHash('sha256').update(base64).digest('hex').slice(0, 16)
  return { media, text: `${media}, ${bytes} bytes, sha256 ${digest}` }
}

/** Describes a URL; a `data:` URL is described by its content. */
export function describeUrl(media: string, url: string): AttachmentText {
  if (!url.startsWith('data:')) return { media, text: url }
  const comma = url.indexOf(',')
  if (comma < 0) return { media, text: url }
  const declared = url.slice('data:'.length, comma).split(';', 1)[0] ?? ''
  // Copied, because a slice would keep the whole URL in memory.
  const own = Buffer.from(declared).toString()
  return describeData(own === '' ? media : own, url.slice(comma + 1))
}

/** Describes a file's content, given as a `data:` URL or as base64. */
export function describeFileData(data: string): AttachmentText {
  return data.startsWith('data:') ? describeUrl('file', data) : describeData('file', data)
}
