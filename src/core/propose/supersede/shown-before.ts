import {
  endsInNote,
  hasCutLine,
  isHandleLine,
  isSureHandleLine,
  lacksText,
} from '../../render/marks.ts'
import { isContextTool } from '../../words/context-tools.ts'
import type { Operation } from '../../words/operation.ts'
import { succeeded } from './outcome.ts'

type ShownOperation = Pick<Operation, 'call' | 'result' | 'status' | 'reading' | 'action'>

/**
 * True when an operation is shown as we show it: the client sends back a history that was pruned before. Less can be known
 * of files from here on than was known then. A file that only mentions handles does not count, nor does a call that asks
 * for one.
 */
export function wasShownBefore(operation: ShownOperation): boolean {
  return isCutShort(operation) || lacksItsText(operation)
}

function lacksItsText(operation: ShownOperation): boolean {
  const { call, result, action } = operation
  if (result !== null && action.kind !== 'read' && endsInNote(result.text)) {
    // A command that prints a file may print such a line; one that was cut ends in a sign of that.
    return action.kind !== 'shell' || call.text.includes('…')
  }
  // A model that copies such an input from an example fails with it.
  return lacksText(call.text) && succeeded(operation)
}

function isCutShort({ call, result }: ShownOperation): boolean {
  if (result === null) return false
  if (isHandleLine(result.text)) return isSureHandleLine(result.text)
  return hasCutLine(result.text) && !isContextTool(call.tool)
}
