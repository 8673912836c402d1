import type { JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { violationOf } from '../rule.ts'
import * as rules from './rules.ts'

/** A part with the role of its message. Each message starts with an entry whose part has no type. */
export interface PlacedPart {
  readonly role: unknown
  readonly where: string
  readonly part: JsonObject
}

/** Every call needs a result before the next user or system message, and every result an earlier call. */
export function* checkPairs(parts: readonly PlacedPart[]): Generator<Violation> {
  const called = new Set<string>()
  const answered = new Set<string>()
  const waiting = new Set<string>()
  const approvals = new Map<string, string>()
  for (const { role, where, part } of parts) {
    const id = String(part.toolCallId)
    switch (part.type) {
      case undefined:
        if (role === 'user' || role === 'system') yield* unanswered(waiting, where)
        break
      case 'tool-call':
        called.add(id)
        // An id may be reused after its result.
        answered.delete(id)
        if (part.providerExecuted !== true) waiting.add(id)
        break
      case 'tool-approval-request':
        approvals.set(String(part.approvalId), id)
        break
      case 'tool-approval-response':
        // The SDK runs or denies the call and adds the result before the request.
        waiting.delete(approvals.get(String(part.approvalId)) ?? '')
        break
      case 'tool-result':
        if (!called.has(id)) yield violationOf(rules.toolResultWithoutCall, where, { id })
        else if (answered.has(id)) yield violationOf(rules.toolResultRepeated, where, { id })
        answered.add(id)
        waiting.delete(id)
    }
  }
  yield* unanswered(waiting, 'messages')
}

/** Reports the calls that have no result yet. */
function* unanswered(waiting: Set<string>, where: string): Generator<Violation> {
  const ids = [...waiting]
  waiting.clear()
  if (ids.length === 0) return
  const [results, calls] = ids.length > 1 ? ['results are', 'calls'] : ['result is', 'call']
  yield violationOf(rules.toolResultsMissing, where, { results, calls, ids: ids.join(', ') })
}
