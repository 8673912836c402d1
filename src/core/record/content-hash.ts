import { hash } from 'node:crypto'
import type { ItemDraft, MessageDraft } from '../words/item.ts'

/** Long messages are put together here, one at a time: as strings they would be copied twice more. */
const scratch = Buffer.allocUnsafeSlow(1 << 18)
/** No character takes more bytes than so many for each of its UTF-16 units. */
const mostBytesOfUnit = 3
/** Below this length the copies cost less than to write the parts one by one. */
const longMessage = 1_000

/**
 * Hash of what a message says: its role and its items. Neither its id, its time nor the tool name that a result
 * borrowed from its call counts, so that the same message is recognised in every request that carries it.
 */
export function hashMessage(message: MessageDraft): string {
  const { role, items } = message
  if (items.length === 1 && items[0]!.text.length < longMessage) {
    return hash('sha256', role + headOf(items[0]!) + items[0]!.text)
  }
  let written = 0
  for (const item of items) {
    const head = written === 0 ? role + headOf(item) : headOf(item)
    const most = (head.length + item.text.length) * mostBytesOfUnit
    if (most > scratch.length - written) return hashLongMessage(message)
    written += scratch.write(head, written)
    written += scratch.write(item.text, written)
  }
  return hash('sha256', written === 0 ? role : scratch.subarray(0, written))
}

/** The same for messages that do not fit in. */
function hashLongMessage(message: MessageDraft): string {
  let content: string = message.role
  for (const item of message.items) content += headOf(item) + item.text
  return hash('sha256', content)
}

/** The hex digits that a handle is cut from. Most items are the first of a message that stands once. */
export function handleDigits(messageHash: string, occurrence: number, ordinal: number): string {
  if (occurrence === 0 && ordinal === 0) return messageHash
  return hash('sha256', `${messageHash} ${occurrence} ${ordinal}`)
}

/** The length before the text keeps two items from reading as one that contains a header. */
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
      return `call [${quoted(item.tool)},${quoted(item.call)}]`
    case 'result':
      return `result [${quoted(item.call)},"${item.status}"]`
    case 'attachment':
      return `attachment ${JSON.stringify([item.media, item.call ?? null])}`
    case 'marker':
      return `marker ${JSON.stringify(item.marker)}`
  }
}

const plainName = /^[\w-]*$/

/** As JSON. Nearly every name and id is plain, and to look is several times faster than to escape. */
function quoted(name: string): string {
  return plainName.test(name) ? `"${name}"` : JSON.stringify(name)
}
