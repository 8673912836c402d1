import { digest } from '../../render/digest/digest.ts'
import { firstSightLimits } from '../../render/digest/digest-types.ts'
import { foldStructure } from '../../render/digest/fold-structure.ts'
import { restoreHint } from '../../render/marks.ts'
import type { Message } from '../../words/item.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import { countLineBreaks } from '../../words/text.ts'
import { printsKnownLines } from '../retain/printed-files.ts'
import type { StrategyFactory, View } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const strategy = 'admission'
/** File text of up to this many lines is shown whole, because the agent may edit it. */
const wholeLines = 2000
const foldedChars = 30_000

/**
 * `admission`: output of commands, searches and web pages that is larger than `wholeChars` is shown as a digest from the
 * beginning, which keeps everything that stands out. Smaller output is shown whole. File text is shown whole up to 2,000
 * lines, and beyond that folded by its structure. Output of failed calls is kept whole when neither `truncateOldErrors` nor
 * `purgeErrors` is on.
 */
export const admission: StrategyFactory = (settings) => {
  const { enabled, wholeChars } = settings.admission
  if (!enabled) return null
  const keepsErrors = !settings.truncateOldErrors.enabled && !settings.purgeErrors.enabled
  let request: string | null = null

  function admitted(operation: Operation, result: ResultItem, view: View): string | null {
    const text = outputOf(operation)
    const recall = restoreHint({ handle: result.handle, restore: view.restore })
    const { action } = operation
    const { tool, status } = result
    if (printsKnownLines(action)) {
      if (countLineBreaks(text) < wholeLines) return null
      const folded = foldStructure(text, { targetChars: foldedChars, recall })
      if (folded !== null) return folded
    }
    const limits = firstSightLimits(text.length, { leastChars: wholeChars, recall })
    return digest({ text, tool, action, status, request }, limits)
  }

  return {
    name: strategy,
    *operation(operation, view) {
      const { result } = operation
      if (result === null || outputOf(operation).length <= wholeChars) return
      if (!isUntouched(result, view) || (keepsErrors && result.status === 'error')) return
      // A sub-agent's report is already a summary.
      if (operation.action.kind === 'task') return
      const text = admitted(operation, result, view)
      if (text === null) return
      const rendition = { how: 'truncated', text } as const
      yield { kind: 'show', item: result, reason: 'output', strategy, rendition, by: null }
    },
    message(message) {
      request = requestIn(message) ?? request
      return undefined
    },
  }
}

/** The user's texts in a message; null when it has none. */
function requestIn({ role, items }: Message): string | null {
  if (role !== 'user') return null
  const texts = items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))
  return texts.length === 0 ? null : texts.join('\n')
}
