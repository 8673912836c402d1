import type { Operation } from '../words/operation.ts'
import { cutEnd, oneLine } from './cut.ts'
import { describeOperation, nameOperation } from './describe-operation.ts'
import { failureLines } from './failure-lines.ts'
import { bracketed, firstShorter, restoreHint } from './fitting.ts'

const errorLimit = 200

/**
 * What is left of an old failure: what failed, and the first line of what it said. null when that is no shorter.
 *
 * ```ts
 * purgedError(edit, 'context_restore') // '[edit src/app.ts · failed: old_string not found · context_restore a1b2c3]'
 * ```
 */
export function purgedError(operation: Operation, restore: string | null): string | null {
  const { result } = operation
  if (result === null) return null
  const line = firstWords(result.text, operation.action.kind === 'shell')
  const failed = line === '' ? 'failed' : `failed: ${cutEnd(line, errorLimit)}`
  const hint = restoreHint({ handle: result.handle, restore })
  return firstShorter(
    [
      bracketed(describeOperation(operation), failed, hint),
      bracketed(nameOperation(operation), failed, hint),
      bracketed(failed, hint),
      bracketed(cutEnd(failed, 80), hint),
    ],
    result.text,
  )
}

/** A command's first line is often no more than its name or an exit code: what failed is told after it. */
function firstWords(text: string, isCommand: boolean): string {
  const lines = text
    .replaceAll(/<\/?tool_use_error>/g, '')
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
  const [first = '', ...others] = lines
  if (!isCommand) return first
  const rest = others.join('\n')
  const failure =
    failureLines(rest, { lines: 2, characters: 1000, line: 200 })[0] ?? others[0] ?? ''
  return failure === '' || failureLines(first).length > 0
    ? first
    : `${cutEnd(first, 80)} … ${failure}`
}
