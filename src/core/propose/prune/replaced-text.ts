import { restoreHint } from '../../render/marks.ts'
import { leastReplacedChars, withoutReplacedText } from '../../render/replaced-text.ts'
import type { EditAction, PatchAction } from '../../words/action.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const strategy = 'pruneReplacedText'

/** A quick check: true when no text in the input is long enough to be removed. */
function isTooShort(input: string, action: EditAction | PatchAction): boolean {
  let rest = input.length
  if (action.kind === 'patch') return rest < leastReplacedChars
  for (const edit of action.edits) {
    if (edit.kind !== 'replace') continue
    if (edit.oldText.length >= leastReplacedChars) return false
    rest -= edit.oldText.length + edit.newText.length
  }
  return rest < leastReplacedChars
}

/**
 * `pruneReplacedText`: the old text of an edit is no longer in the file, so it leaves the context with the next epoch. The
 * new text and its location stay.
 */
export const pruneReplacedText: StrategyFactory = (settings) => {
  if (!settings.pruneReplacedText) return null
  return {
    name: strategy,
    actions: ['edit', 'patch'],
    *operation({ call, action, status }, view) {
      if (status !== 'ok' || (action.kind !== 'edit' && action.kind !== 'patch')) return
      if (isTooShort(call.text, action) || !isUntouched(call, view)) return
      const hint = restoreHint({ handle: call.handle, restore: view.restore })
      const rendition = withoutReplacedText(call.text, action, hint)
      if (rendition === null) return
      yield { kind: 'show', item: call, rendition, reason: 'input', strategy, by: null }
    },
  }
}
