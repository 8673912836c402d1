import { isSameCall } from '../../words/call-key.ts'
import { isContextTool } from '../../words/context-tools.ts'
import type { Operation } from '../../words/operation.ts'
import { namesTool } from '../../words/protected-tool.ts'
import type { View } from '../strategy.ts'
import { hasEqualResult, isShownInFull } from './outcome.ts'

/** Tools through which the user answers: the same question may be answered otherwise, and both answers count. */
const asksUser = /(^|[^a-z])(ask|question|elicit|request_?user_?input)|askuser|userinput/i

/** True for calls whose repetition is the business of the hash strategy, and not of one that knows more. */
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
      return deduplication.mode === 'supersede' && (files === 'one-view' || files === 'none')
    case 'shell':
      return action.reads.length === 0 || isReadComparedByInput(view)
    case 'list':
      return !todoSupersede && (action.op === 'write' || action.op === 'read')
    case 'task':
      return false
    case 'other':
      return !isContextTool(operation.call.tool) && !asksUser.test(operation.call.tool)
    default:
      return true
  }
}

/**
 * True when a repeated call says what an earlier one, still visible, has said: then the newer is shown as a pointer to
 * the older, and no strategy may hide the older behind the newer.
 */
export function pointsBack(older: Operation, newer: Operation, view: View): boolean {
  return (
    view.settings.deduplication.mode === 'pointer' &&
    older.turn < newer.turn &&
    hasEqualResult(older, newer) &&
    isComparedByInput(newer, view) &&
    isSameCall(older.call, newer.call) &&
    isShownInFull(older, view)
  )
}

/** `first-last` and `current-view` keep reads for reasons of their own, and pointers of theirs know about lines. */
function isReadComparedByInput(view: View): boolean {
  const { files, deduplication } = view.settings
  if (files === 'none') return true
  return deduplication.mode === 'supersede' && files !== 'first-last' && files !== 'current-view'
}
