import type { How } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { ResultReading } from '../../words/reading.ts'
import type { View } from '../strategy.ts'

/** A command with a non-zero exit code failed, even if its result is not marked as an error. */
export function succeeded(operation: Pick<Operation, 'status' | 'reading'>): boolean {
  return operation.status === 'ok' && (operation.reading?.exitCode ?? 0) === 0
}

export function failed(operation: Operation): boolean {
  return operation.status !== 'running' && !succeeded(operation)
}

/** Renditions that still show part of the original, which newer results can replace. */
const partial: ReadonlySet<How> = new Set(['truncated', 'masked', 'stripped'])

/** True when an item can be hidden: the model sees it, it was not restored, and it is not hidden yet. */
export function isHideable(item: Item, view: View): boolean {
  if (item.opaque === true || !view.isVisible(item) || view.decisions.isReverted(item.index)) {
    return false
  }
  const standing = view.decisions.of(item.index) ?? view.awaited(item)
  return standing === undefined || partial.has(standing.rendition.how)
}

/** The operations of those calls whose results can be hidden. */
export function hideableOf(calls: readonly CallItem[], view: View): readonly Operation[] {
  return calls.flatMap((call) => {
    const operation = view.operationOf(call)
    return operation?.result != null && isHideable(operation.result, view) ? [operation] : []
  })
}

/** True when the model sees an operation's original result. */
export function isShownInFull(operation: Operation, view: View): boolean {
  const { result } = operation
  return result !== null && view.isVisible(result) && view.decisions.of(result.index) === undefined
}

/** True when the call succeeded and the model still sees its result. */
export function isAnswered(operation: Operation, view: View): boolean {
  const { result } = operation
  return result !== null && succeeded(operation) && view.isVisible(result)
}

/** True when both calls gave the same output, apart from what the agent added around it. */
export function hasEqualResult(older: Operation, newer: Operation): boolean {
  if (older.reading === null || newer.reading === null) return false
  const isTrimmed = older.reading.trimmed === true || newer.reading.trimmed === true
  const bodyOf = ({ body }: ResultReading): string => (isTrimmed ? body.trim() : body)
  return (
    bodyOf(older.reading) === bodyOf(newer.reading) &&
    older.reading.truncated === newer.reading.truncated &&
    older.reading.exitCode === newer.reading.exitCode
  )
}

/** False when only the newer result was truncated, so the older one contains more. */
export function isAsWhole(older: Operation, newer: Operation): boolean {
  return newer.reading?.truncated !== true || older.reading?.truncated === true
}
