import type { JsonObject } from '../../core/words/json.ts'
import type { Violation } from '../format.ts'
import { breach } from '../object/object-rule.ts'
import * as rules from './rules.ts'

/** A part with the role of its message. A message itself comes before its parts, as one without a type. */
export interface PlacedPart {
  readonly role: unknown
  readonly where: string
  readonly part: JsonObject
}

/** Every call has its result before anybody else speaks, and every result its call before it. */
export function checkPairs(parts: readonly PlacedPart[]): readonly Violation[] {
  const pairs = new Pairs()
  for (const placed of parts) pairs.take(placed)
  pairs.close('messages')
  return pairs.found
}

class Pairs {
  readonly found: Violation[] = []
  /** Calls that wait for a result. */
  readonly #open = new Set<string>()
  readonly #called = new Set<string>()
  readonly #answered = new Set<string>()
  readonly #approvals = new Map<string, string>()

  take({ role, where, part }: PlacedPart): void {
    const id = String(part.toolCallId)
    switch (part.type) {
      case undefined:
        if (role === 'user' || role === 'system') this.close(where)
        return
      case 'tool-call':
        this.#called.add(id)
        // An id may be given out again once it was answered.
        this.#answered.delete(id)
        if (part.providerExecuted !== true) this.#open.add(id)
        return
      case 'tool-approval-request':
        this.#approvals.set(String(part.approvalId), id)
        return
      case 'tool-approval-response':
        // The SDK runs or denies the call, and adds the result before the model sees the list.
        this.#open.delete(this.#approvals.get(String(part.approvalId)) ?? '')
        return
      case 'tool-result':
        this.#answer(id, where)
    }
  }

  /** Reports the calls that are still open where somebody else speaks, or at the end. */
  close(where: string): void {
    const ids = [...this.#open]
    this.#open.clear()
    if (ids.length === 0) return
    const [results, calls] = ids.length > 1 ? ['results are', 'calls'] : ['result is', 'call']
    this.found.push(
      breach(rules.toolResultsMissing, where, { results, calls, ids: ids.join(', ') }),
    )
  }

  #answer(id: string, where: string): void {
    if (!this.#called.has(id)) this.found.push(breach(rules.toolResultWithoutCall, where, { id }))
    else if (this.#answered.has(id)) {
      this.found.push(breach(rules.toolResultRepeated, where, { id }))
    }
    this.#answered.add(id)
    this.#open.delete(id)
  }
}
