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
 * True when an operation arrives already pruned by us, because the client sends back a pruned history. Its files cannot be
 * tracked completely. A file that only mentions handles does not count, nor does a call that restores one.
 */
export function wasShownBefore(operation: ShownOperation): boolean {
  return isCutShort(operation) || lacksItsText(operation)
}

function lacksItsText(operation: ShownOperation): boolean {
  const { call, result, action } = operation
  if (result !== null && action.kind !== 'read' && endsInNote(result.text)) {
    // A printed file may contain such a line; a command that we stripped contains an ellipsis.
    return action.kind !== 'shell' || call.text.includes('…')
  }
  // A model may copy a stripped input, but such a call fails.
  return lacksText(call.text) && succeeded(operation)
}

function isCutShort({ call, result }: ShownOperation): boolean {
  if (result === null) return false
  if (isHandleLine(result.text)) return isSureHandleLine(result.text)
  return hasCutLine(result.text) && !isContextTool(call.tool)
}
