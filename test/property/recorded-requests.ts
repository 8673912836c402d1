import { clearedByAgent } from '../../src/core/render/marks.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { Recording } from '../../src/recordings/index.ts'

/** A request of a recorded session, as its client sent it. */
export interface RecordedRequest {
  readonly messages: readonly MessageDraft[]
  /** True when it only adds to the request before it. */
  readonly goesOn: boolean
}

/** The whole history before each answer, with the agent's own compactions and clearings applied. */
export function* recordedRequests(recording: Recording): Generator<RecordedRequest> {
  const said: MessageDraft[] = []
  let visible: number[] = []
  let goesOn = true
  for (const event of recording.events) {
    switch (event.kind) {
      case 'message':
        if (event.message.role === 'assistant') {
          yield { messages: visible.map((position) => said[position] as MessageDraft), goesOn }
          goesOn = true
        }
        visible.push(said.length)
        said.push(event.message)
        break
      case 'compaction': {
        const before = new Set(visible)
        visible = event.keeps.filter((position) => event.rewind === true || before.has(position))
        goesOn = false
        break
      }
      case 'cleared':
        for (const { message, item } of event.results) clear(said, message, item)
        goesOn = false
    }
  }
}

function clear(said: MessageDraft[], position: number, ordinal: number): void {
  const message = said[position]
  if (message === undefined) return
  const items = message.items.map((item, index) =>
    index === ordinal && item.text.length > clearedByAgent.length
      ? { ...item, text: clearedByAgent }
      : item,
  )
  said[position] = { ...message, items }
}
