import type { Anchor } from '../core/record/branches.ts'
import type { SessionRecord } from '../core/record/record.ts'
import type { Message, MessageDraft } from '../core/words/item.ts'
import type { LoadedSession, StoredMessage } from './store.ts'

/**
 * The requests that make a record what it was: appended in this order, messages and items get the same places and
 * handles again. The last one is the history of the session's last request.
 *
 * @example
 * for (const history of historiesOf(await store.load(session))) engine.request(history)
 */
export function historiesOf({
  messages,
  head,
}: Pick<LoadedSession, 'messages' | 'head'>): readonly (readonly MessageDraft[])[] {
  const ends: number[] = []
  for (let position = 0; position < messages.length; position++) {
    if (messages[position + 1]?.previous !== position) ends.push(position)
  }
  if (head !== null && head !== ends.at(-1)) ends.push(head)
  return ends.map((end) => historyTo(messages, end))
}

function historyTo(messages: readonly StoredMessage[], end: number): readonly MessageDraft[] {
  const drafts: MessageDraft[] = []
  for (let at: number | null = end; at !== null; ) {
    const message: StoredMessage | undefined = messages[at]
    if (message === undefined) break
    drafts.push(message.draft)
    at = message.previous
  }
  return drafts.reverse()
}

/**
 * What a request added to the record, as the store takes it: the messages of the history that ends at `anchor` from
 * position `known` on, which is `record.messages.length` before the request. Looks at nothing that was there before.
 */
export function addedMessages(
  record: SessionRecord,
  anchor: Anchor,
  known: number,
): readonly StoredMessage[] {
  const added = record.messages.length - known
  if (added === 0) return []
  const path = record.history(anchor, Math.max(0, anchor.length - added - 1))
  return path.flatMap((message, at): readonly StoredMessage[] => {
    if (message.index < known) return []
    return [storedMessage(message, path[at - 1]?.index ?? null)]
  })
}

function storedMessage(message: Message, previous: number | null): StoredMessage {
  const { index: _, hash: __, items, ...rest } = message
  const drafts = items.map(({ index, message: ___, role, turn, handle, tokens, ...draft }) => draft)
  return {
    previous,
    draft: { ...rest, items: drafts },
    handles: items.map(({ handle }) => handle),
  }
}
