import type { Coverage } from './coverage.ts'
import type { TracedRequest, TracedSession } from './session.ts'

/**
 * Checks every request of a policy against the same request without it. What a recording itself lacks, such as the
 * result of an interrupted call, is not a fault of the policy. Returns one sentence per fault.
 */
export function validate(
  unpruned: TracedSession,
  session: TracedSession,
  coverage: Coverage,
): readonly string[] {
  const faults = [...session.faults]
  if (session.requests.length !== unpruned.requests.length)
    faults.push(`${session.requests.length} requests instead of ${unpruned.requests.length}`)
  for (const [index, request] of session.requests.entries()) {
    const own = unpruned.requests[index]
    if (own !== undefined) faults.push(...requestFaults(own, request))
  }
  if (coverage.share < 1)
    faults.push(`the trace tells ${(coverage.share * 100).toFixed(1)} % of the recording`)
  return faults
}

function requestFaults(own: TracedRequest, request: TracedRequest): readonly string[] {
  const faults: string[] = []
  const fault = (what: string): void => {
    faults.push(`request ${request.n}: ${what}`)
  }
  const shown = new Map(request.view.map((rendition) => [rendition.item.i, rendition]))
  let before = -1
  for (const { item, how, text } of request.view) {
    if (item.i <= before) fault(`item ${item.i} after item ${before}`)
    before = item.i
    if (item.i >= own.known) fault(`item ${item.i} from the future`)
    if (how !== 'full' && text.trim() === '') fault(`item ${item.i} is shown empty`)
  }
  for (const { item, text } of own.view) {
    if (item.role === 'user' && item.kind === 'text' && shown.get(item.i)?.text !== text)
      fault(`the user's text in item ${item.i} was changed`)
  }
  const paired = pairsOf(own)
  const now = pairsOf(request)
  for (const [call, parts] of now) {
    if (parts.size === 1 && paired.get(call)?.size === 2)
      fault(`${parts.has('call') ? 'a call without its result' : 'a result without its call'}`)
  }
  return faults
}

function pairsOf({ view }: TracedRequest): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = new Map<string, Set<string>>()
  for (const { item } of view) {
    if (item.call === null || (item.kind !== 'call' && item.kind !== 'result')) continue
    const parts = pairs.get(item.call)
    if (parts === undefined) pairs.set(item.call, new Set([item.kind]))
    else parts.add(item.kind)
  }
  return pairs
}
