import { hash } from 'node:crypto'
import type { ItemDraft, MessageDraft } from '../words/item.ts'

/**
 * Hash of a message's role and items. It leaves out the id, the time and the tool name that a result takes from its call,
 * so that the same message has the same hash in every request.
 */
export function hashMessage({ role, items }: MessageDraft): string {
  const content = items.map((item) => `${headOf(item)}${item.text}`)
  return hash('sha256', role + content.join(''))
}

/** The hex digits whose beginning becomes the handle. */
export function handleDigits(messageHash: string, occurrence: number, ordinal: number): string {
  if (occurrence === 0 && ordinal === 0) return messageHash
  return hash('sha256', `${messageHash} ${occurrence} ${ordinal}`)
}

/** The length keeps two items distinct from one item whose text contains a header. */
function headOf(item: ItemDraft): string {
  return `\n${identityOf(item)} ${item.text.length}\n`
}

function identityOf(item: ItemDraft): string {
  switch (item.kind) {
    case 'text':
      return 'text'
    case 'reasoning':
      return `reasoning ${item.binding}`
    case 'call':
      return `call ${JSON.stringify([item.tool, item.call])}`
    case 'result':
      return `result ${JSON.stringify([item.call, item.status])}`
    case 'attachment':
      return `attachment ${JSON.stringify([item.media, item.call ?? null])}`
    case 'marker':
      return `marker ${JSON.stringify(item.marker)}`
  }
}
