import { isSameCall } from '../../words/call-key.ts'
import { isContextTool } from '../../words/context-tools.ts'
import { namesTool } from '../../words/name-pattern.ts'
import type { Operation } from '../../words/operation.ts'
import type { FilePolicy } from '../../words/settings.ts'
import type { View } from '../strategy.ts'
import { hasEqualResult, isShownInFull } from './outcome.ts'

/** Tools that ask the user. The same question may get another answer, and both count. */
const asksUser = /(^|[^a-z])(ask|question|elicit|request_?user_?input)|askuser|userinput/i

/** The policies under which a repeated change may be hidden. */
const comparesChanges: ReadonlySet<FilePolicy> = new Set(['one-view', 'latest-change', 'none'])

/** True for calls whose repetition the hash strategy handles, and no more specific strategy. */
export function isComparedByInput(operation: Operation, view: View): boolean {
  const { files, deduplication, todoSupersede } = view.settings
  if (!deduplication.enabled || namesTool(deduplication.protectedTools, operation.call.tool)) {
    return false
  }
  const { action } = operation
  switch (action.kind) {
    case 'read':
      return isReadComparedByInput(view)
    case 'write':
    case 'edit':
    case 'patch':
      return deduplication.mode === 'supersede' && comparesChanges.has(files)
    case 'shell':
      return action.reads.length === 0 || isReadComparedByInput(view)
    case 'list':
      // As ACP documents, an identical list is a repeated call before it is an older list.
      return (
        (!todoSupersede || deduplication.mode === 'supersede') &&
        (action.op === 'write' || action.op === 'read')
      )
    case 'task':
      return false
    case 'other':
      return !isContextTool(operation.call.tool) && !asksUser.test(operation.call.tool)
    default:
      return true
  }
}

/**
 * True when a repeated call has the same result as an earlier one that is still visible. The newer one then becomes a
 * pointer to the older, and no strategy may replace the older by the newer.
 */
export function becomesPointer(older: Operation, newer: Operation, view: View): boolean {
  return (
    view.settings.deduplication.mode === 'pointer' &&
    older.turn < newer.turn &&
    hasEqualResult(older, newer) &&
    isComparedByInput(newer, view) &&
    isSameCall(older.call, newer.call) &&
    isShownInFull(older, view)
  )
}

/** `first-last` and `current-view` handle repeated reads themselves, line by line. */
function isReadComparedByInput(view: View): boolean {
  const { files, deduplication } = view.settings
  if (files === 'none') return true
  return deduplication.mode === 'supersede' && files !== 'first-last' && files !== 'current-view'
}
