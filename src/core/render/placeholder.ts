import type { Reason } from '../words/decision.ts'
import { type Operation, outputOf } from '../words/operation.ts'
import { describeOperation, nameOperation } from './describe-operation.ts'
import { bracketed, firstShorter, type Recall, restoreHint } from './fitting.ts'

/**
 * What stands in a superseded result's place: what it was, why it is gone, how to get it back. Short results get shorter
 * forms, down to the bare handle; a result that is no longer than its own handle gets that, and the guard refuses it.
 *
 * ```ts
 * placeholderFor(read, edit, 'file', { handle: 'a1b2c3', restore: 'context_restore' })
 * // '[read src/app.ts lines 1–120 · replaced by edit at turn 14 · context_restore a1b2c3]'
 * ```
 */
export function placeholderFor(
  older: Operation,
  by: Operation | null,
  reason: Reason,
  recall: Recall,
): string {
  const hint = restoreHint(recall)
  const { handle } = recall
  const why = whyGone(reason, by)
  const original = older.result === null ? older.call.text : outputOf(older)
  const whole = bracketed(describeOperation(older), why, hint)
  // Nearly always it fits, and the others need not be written.
  if (whole.length < original.length) return whole
  const bare = `[${handle}]`
  const candidates = [
    bracketed(nameOperation(older), why, hint),
    bracketed(why, hint),
    bracketed(brief[reason], hint),
    bracketed(brief[reason], handle),
    bare,
  ]
  return firstShorter(candidates, original) ?? bare
}

/** Why an item is no longer shown, in a few words. */
export function whyGone(reason: Reason, by: Operation | null): string {
  if (by === null) return brief[reason]
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

/** The same where there is no room for more. */
export const brief: Readonly<Record<Reason, string>> = {
  hash: 'replaced',
  file: 'replaced',
  todo: 'replaced',
  url: 'replaced',
  search: 'replaced',
  query: 'replaced',
  snapshot: 'replaced',
  retry: 'failed',
  context: 'done',
  input: 'input left out',
  error: 'old error',
  output: 'old output',
  reasoning: 'old reasoning',
  attachment: 'masked',
  marker: 'left out',
  'code-block': 'shortened',
  edits: 'listed',
  pressure: 'left for room',
  agent: 'discarded by you',
  user: 'discarded by the user',
}
