import type { Message, MessageDraft } from '../core/words/item.ts'
import type { Recording, RecordingEvent } from '../recordings/recording.ts'
import type { StoredReceipt } from '../report/request-receipt.ts'
import type { StoredSession } from '../store/index.ts'
import type { StoredRequests } from './stored-steps.ts'
import type { Work } from './work.ts'

/**
 * A stored session as a recording, so that everything that reads recordings can read it: as the agent sent it, with the
 * originals. A history that the agent changed counts as compacted. The last request has an empty answer, because its
 * answer is not known yet.
 */
export function* storedRecording(
  { record, requests }: StoredRequests,
  { id, parent, folder }: Pick<StoredSession, 'id' | 'parent' | 'folder'>,
): Work<Recording> {
  const events: RecordingEvent[] = []
  const positions = new Map<number, number>()
  let visible: readonly Message[] = []
  let count = 0

  function say(message: MessageDraft): number {
    events.push({ kind: 'message', message })
    return count++
  }

  for (const [index, { messages, at }] of requests.entries()) {
    yield
    const shared = commonLength(visible, messages)
    if (shared < visible.length) {
      const keeps = messages.slice(0, shared).flatMap((each) => positions.get(each.index) ?? [])
      events.push({ kind: 'compaction', keeps, rewind: true })
    }
    const answered = requests[index - 1]?.receipt ?? null
    for (const [offset, message] of messages.slice(shared).entries()) {
      const isAnswer = offset === 0 && message.role === 'assistant'
      const isNewest = shared + offset === messages.length - 1
      const said = {
        ...draftOf(message, record.messages),
        ...(isAnswer ? answerOf(answered) : {}),
        ...(isNewest && at !== null ? { at } : {}),
      }
      positions.set(message.index, say(said))
    }
    visible = messages
  }
  const last = requests.at(-1)
  if (last !== undefined)
    say({ role: 'assistant', items: [], ...answerOf(last.receipt, last.model) })
  return {
    format: 'stored',
    session: id,
    parent,
    model: last?.model ?? null,
    cwd: folder,
    events,
    messages: count,
    subagentRecords: 0,
  }
}

function draftOf({ index }: Message, messages: readonly Message[]): MessageDraft {
  const { role, items, id } = messages[index] as Message
  const drafts = items.map(
    ({ index: _, message, role: __, turn, handle, tokens, ...draft }) => draft,
  )
  return { role, items: drafts, ...(id === undefined ? {} : { id }) }
}

function answerOf(
  receipt: StoredReceipt | null,
  named: string | null = null,
): Pick<MessageDraft, 'model' | 'usage'> {
  const model = receipt?.model ?? named
  return {
    ...(model === null ? {} : { model }),
    ...(receipt === null || receipt.usage === null ? {} : { usage: receipt.usage }),
  }
}

function commonLength(one: readonly Message[], other: readonly Message[]): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
