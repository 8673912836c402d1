import type { Reason } from '../decision.ts'
import type { Operation } from '../track/operation.ts'
import { describeOperation, nameOperation } from './describe-operation.ts'
import { bracketed, firstShorter, restoreHint } from './fitting.ts'

/**
 * What stands in a superseded result's place: what it was, why it is gone, how to get it back. Short results get shorter
 * forms, down to the bare handle; a result that is no longer than its own handle gets that, and the guard refuses it.
 *
 * ```ts
 * placeholderFor(read, edit, 'file', 'a1b2c3')
 * // '[read src/app.ts lines 1–120 · replaced by edit at turn 14 · context_restore a1b2c3]'
 * ```
 */
export function placeholderFor(
  older: Operation,
  by: Operation | null,
  reason: Reason,
  handle: string,
): string {
  const hint = restoreHint(handle)
  const why = whyGone(reason, by)
  const original = older.result?.text ?? older.call.text
  const whole = bracketed(describeOperation(older), why, hint)
  // Nearly always it fits, and the others need not be written.
  if (whole.length < original.length) return whole
  const bare = `[${handle}]`
  const candidates = [
    bracketed(nameOperation(older), why, hint),
    bracketed(why, hint),
    bracketed(briefly(reason), hint),
    bracketed(briefly(reason), handle),
    bare,
  ]
  return firstShorter(candidates, original) ?? bare
}

/** Why an item is no longer shown, in a few words. */
export function whyGone(reason: Reason, by: Operation | null): string {
  if (by === null) return briefly(reason)
  const turn = `at turn ${by.turn}`
  switch (reason) {
    case 'hash':
    case 'search':
    case 'query':
      return `repeated ${turn}`
    case 'url':
      return `fetched again ${turn}`
    case 'retry':
      return `succeeded ${turn}`
    case 'edits':
      return `listed ${turn}`
    default:
      return `replaced by ${nameOperation(by)} ${turn}`
  }
}

function briefly(reason: Reason): string {
  switch (reason) {
    case 'hash':
    case 'file':
    case 'todo':
    case 'url':
    case 'search':
    case 'query':
    case 'snapshot':
      return 'replaced'
    case 'retry':
      return 'failed'
    case 'context':
      return 'done'
    case 'input':
      return 'input left out'
    case 'error':
      return 'old error'
    case 'output':
      return 'old output'
    case 'reasoning':
      return 'old reasoning'
    case 'attachment':
      return 'masked'
    case 'marker':
      return 'left out'
    case 'code-block':
      return 'shortened'
    case 'edits':
      return 'listed'
    case 'pressure':
      return 'left for room'
    case 'agent':
      return 'discarded by you'
    case 'user':
      return 'discarded by the user'
  }
}
