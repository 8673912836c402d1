import { endsInNote } from '../../render/input-note.ts'
import { isHandleLine, recall } from '../../render/stand-in.ts'
import { isContextTool } from '../../words/context-tools.ts'
import type { Operation } from '../../words/operation.ts'
import { succeeded } from './outcome.ts'

/** What stood in an input for its text, in the words of older versions, and what stands for the removed lines of a patch. */
const restored = '(?:[\\w.-]*context_|palimpsest )restore [0-9a-f]{6,}'
const textElsewhere = new RegExp(
  `"omitted":"${restored}"|"\\[\\d+ lines? replaced · ${restored}\\]"|(?:^|\\n|\\\\n)(?:\\[${restored}\\]|-\\[\\d+ lines? removed · ${recall}\\])`,
)
/** Lines of a result that say what it leaves out, or of which turn a file's view is. */
const linesElsewhere = new RegExp(
  `^(?:\\[… [^\\n]* · |\\.\\.\\. \\[[^\\n]* · |\\.\\.\\. \\[truncated: [^\\n]*\\] \\.\\.\\. \\[|\\[[^\\n]* as of turn \\d+ · )${recall}(?::\\d+-\\d+)?\\]`,
  'm',
)

type ShownOperation = Pick<Operation, 'call' | 'result' | 'status' | 'reading' | 'action'>

/**
 * True when an operation is shown as we show it: the history was shown to somebody before, who sends it as it was shown.
 * What can be known of files from here on is less than was known then. A file that only speaks of handles is no such
 * sign, nor is a call that asks for one.
 */
export function wasShownBefore(operation: ShownOperation): boolean {
  return isCutShort(operation) || lacksItsText(operation)
}

function lacksItsText(operation: ShownOperation): boolean {
  const { call, result, action } = operation
  const { text } = call
  if (result !== null && action.kind !== 'read' && endsInNote(result.text)) {
    // A command that prints a file may print such a line; one that was cut ends in a sign of that.
    return action.kind !== 'shell' || text.includes('…')
  }
  const mayLack = text.includes('restore ') || text.includes(' removed · ')
  // What a model writes after such an example fails.
  return mayLack && textElsewhere.test(text) && succeeded(operation)
}

function isCutShort({ call, result }: ShownOperation): boolean {
  if (result === null) return false
  const { text } = result
  // A list of numbers may look like a bare handle.
  if (isHandleLine(text)) return text.includes(' · ') || text.startsWith('[Re-read of ')
  // Every result is looked through: a search that begins with a rare character takes next to nothing.
  return (
    (text.includes('· ') || text.includes('] ... [')) &&
    linesElsewhere.test(text) &&
    !isContextTool(call.tool)
  )
}
