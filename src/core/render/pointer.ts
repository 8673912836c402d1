import type { Operation } from '../words/operation.ts'
import { describeOperation, nameOperation } from './describe-operation.ts'
import { bracketed, firstShorter, type Recall, restoreHint } from './fitting.ts'

/** The pointer of smart tool history, with the handle; null when the read is shorter than that. */
export function rereadPointer(path: string, original: string, recall: Recall): string | null {
  const pointer = `[Re-read of ${path} - see earlier read for content]`
  const hints = [restoreHint(recall), recall.handle]
  return firstShorter(
    hints.map((hint) => `${pointer} [${hint}]`),
    original,
  )
}

/**
 * What stands in the place of a result that says the same as an earlier one which is still visible; null when that
 * would save nothing.
 */
export function pointerTo(
  earlier: Operation,
  repeated: { readonly text: string; readonly handle: string },
  restore: string | null,
): string | null {
  const hint = restoreHint({ handle: repeated.handle, restore })
  const where = `same as at turn ${earlier.turn}`
  const whole = bracketed(
    describeOperation(earlier),
    `unchanged, see the result at turn ${earlier.turn}`,
    hint,
  )
  // Nearly always it fits, and the others need not be written.
  if (whole.length < repeated.text.length) return whole
  return firstShorter(
    [
      bracketed(nameOperation(earlier), where, hint),
      bracketed(where, hint),
      bracketed(where, repeated.handle),
    ],
    repeated.text,
  )
}
