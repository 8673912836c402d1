import type { Item } from '../words/item.ts'
import { cutMiddle, oneLine } from './cut.ts'
import { bracketed, firstShorter, grouped, restoreHint } from './fitting.ts'

export type AttachmentItem = Item & { readonly kind: 'attachment' }

/**
 * What stands in an attachment's place: its media type, its size where it is known, and the handle. null when the
 * record's own word for it is shorter.
 *
 * ```ts
 * maskedAttachment(image, 'context_restore') // '[image/png, 34 KB · masked · context_restore a1b2c3]'
 * ```
 */
export function maskedAttachment(item: AttachmentItem, restore: string | null): string | null {
  const hint = restoreHint({ handle: item.handle, restore })
  const media = cutMiddle(oneLine(item.media), 40) || 'attachment'
  const size = sizeOf(item.text)
  const what = size === null ? media : `${media}, ${size}`
  return firstShorter(
    [
      bracketed(what, 'masked', hint),
      bracketed(what, hint),
      bracketed(media, hint),
      `[${media} ${item.handle}]`,
    ],
    item.text,
  )
}

/** Formats count bytes; recordings count the characters of base64, four for three bytes. */
function sizeOf(text: string): string | null {
  const bytes = /(?:^|[ ,·])(\d{1,12}) bytes\b/.exec(text)
  if (bytes !== null) return inBytes(Number(bytes[1]))
  const characters = /(?:^|[ ,·])(\d{1,12}) characters\b/.exec(text)
  const count = characters === null ? 0 : Number(characters[1])
  // Fewer characters may be an address or a file's name.
  return count < 1000 ? null : `~${inBytes(Math.floor((count * 3) / 4))}`
}

function inBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  return kilobytes < 1024
    ? `${grouped(Math.round(kilobytes))} KB`
    : `${(kilobytes / 1024).toFixed(1)} MB`
}
