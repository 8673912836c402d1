import type { Anchor } from '../core/record/branches.ts'
import type { SessionRecord } from '../core/record/record.ts'
import type { Message, MessageDraft } from '../core/words/item.ts'
import type { Work } from '../core/words/work.ts'

export { finish, type Work } from '../core/words/work.ts'

const messagesAtOnce = 20

/** Appends a history to a record, a few messages at a time. Returns what was new. */
export function* appendTo(
  record: SessionRecord,
  history: readonly MessageDraft[],
): Work<readonly Message[]> {
  const added: Message[] = []
  let since: Anchor | undefined
  for (let end = 0; end < history.length; yield) {
    end = Math.min(end + messagesAtOnce, history.length)
    const appended = record.append(history.slice(0, end), since)
    since = appended.anchor
    for (const message of appended.added) added.push(message)
  }
  return added
}
