import { createHash } from 'node:crypto'
import type { AttachmentDraft } from '../core/words/item.ts'

export interface AttachedData {
  readonly media: string
  /** The bytes as the recording holds them (base64, a data URL), an address, or a file's name. */
  readonly data: string
  /** The call whose result carried it. */
  readonly call?: string | undefined
}

/**
 * An image or a document of a recording. Its text is the media type, size and digest, because the model sees an image
 * and not its base64 characters.
 */
export function attachmentItem({ media, data, call }: AttachedData): AttachmentDraft {
  const digest = createHash('sha256').update(data).digest('hex').slice(0, 12)
  const text = `[${media} · ${data.length} characters · ${digest}]`
  return { kind: 'attachment', media, text, ...(call === undefined ? {} : { call }) }
}

/** The media type in a `data:` URL, or `otherwise` for any other URL. */
export function mediaOfUrl(url: string, otherwise: string): string {
  return /^data:([\w.+-]+\/[\w.+-]+)/.exec(url)?.[1] ?? otherwise
}
