import { isHandleLine } from '../guard/stand-in.ts'
import type { Operation } from '../track/operation.ts'
import { isContextTool } from './context-tools.ts'
import { succeeded } from './outcome.ts'

const recall = '(?:[\\w.-]*context_|palimpsest )restore [0-9a-f]{6,}'
/** What stands in an input for its text, as the only thing in a string or in a line of a patch. */
const textElsewhere = new RegExp(
  `"omitted":"${recall}"|"\\[\\d+ lines? replaced · ${recall}\\]"|(?:^|\\n|\\\\n)(?:-\\[\\d+ lines? removed · |\\[)${recall}\\]`,
)
/** Lines of a result that say what it leaves out, or of which turn a file's view is. */
const linesElsewhere = new RegExp(
  `^(?:\\[… |\\.\\.\\. \\[|\\[[^\\n]* as of turn \\d+ · )(?:[^\\n]*[ [])?${recall}[^\\n]*\\]`,
  'm',
)

type ShownOperation = Pick<Operation, 'call' | 'result' | 'status' | 'reading'>

/**
 * True when an operation is shown as we show it: the history was shown to somebody before, who sends it as it was shown.
 * What can be known of files from here on is less than was known then. A file that only speaks of handles is no such
 * sign, nor is a call that asks for one.
 */
export function wasShownBefore(operation: ShownOperation): boolean {
  return isCutShort(operation) || lacksItsText(operation)
}

function lacksItsText(operation: ShownOperation): boolean {
  const { text } = operation.call
  // What a model writes after such an example fails.
  return text.includes('restore ') && textElsewhere.test(text) && succeeded(operation)
}

function isCutShort({ call, result }: ShownOperation): boolean {
  if (result === null) return false
  const { text } = result
  // A list of numbers may look like a bare handle.
  if (isHandleLine(text)) return text.includes(' · ') || text.startsWith('[Re-read of ')
  // Every result is looked through: a search that begins with a rare character takes next to nothing.
  return (
    (text.includes('· ') || text.includes('] ... [')) &&
    text.includes('restore ') &&
    linesElsewhere.test(text) &&
    !isContextTool(call.tool)
  )
}
