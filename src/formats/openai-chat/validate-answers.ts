import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'
import type { PlacedMessage } from './validate-view.ts'

/** All tool results must directly follow the message with the calls. */
export function* checkAnswers(messages: readonly PlacedMessage[]): Generator<Violation> {
  let calling: PlacedMessage | null = null
  let open = new Set<string>()
  let asked: ReadonlySet<string> = open
  function* unanswered(): Generator<Violation> {
    if (calling === null || open.size === 0) return
    const values = { ids: [...open].join(', ') }
    yield violationOf(rules.toolCallWithoutAnswer, calling.where, values)
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = message.message.tool_call_id
      if (calling === null) {
        yield violationOf(rules.toolWithoutCalls, `${message.where}.role`)
      } else if (typeof id === 'string' && !asked.has(id)) {
        yield violationOf(rules.toolCallIdUnknown, `${message.where}.tool_call_id`, { id })
      } else if (typeof id === 'string') {
        open.delete(id)
      }
      continue
    }
    yield* unanswered()
    calling = message.calls.length > 0 ? message : null
    open = new Set(message.calls.flatMap(({ id }) => (id === null ? [] : [id])))
    asked = new Set(open)
  }
  yield* unanswered()
}
