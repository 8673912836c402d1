import { restoreHint } from '../../render/marks.ts'
import { leastReplacedChars, withoutReplacedText } from '../../render/replaced-text.ts'
import type { EditAction, PatchAction } from '../../words/action.ts'
import type { StrategyFactory } from '../strategy.ts'
import { isOpen } from './open-item.ts'

const strategy = 'pruneReplacedText'

/** True when no text of an edit's input, of those that are known and of the rest, is long enough to leave it. */
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
 * `pruneReplacedText`: what an edit took out of a file is no longer true, and leaves the page with the next epoch. What it
 * put in stays, and so does everything that says where.
 */
export const pruneReplacedText: StrategyFactory = (settings) => {
  if (!settings.pruneReplacedText) return null
  return {
    name: strategy,
    actions: ['edit', 'patch'],
    *operation({ call, action, status }, view) {
      if (status !== 'ok' || (action.kind !== 'edit' && action.kind !== 'patch')) return
      if (isTooShort(call.text, action) || !isOpen(call, view)) return
      const hint = restoreHint({ handle: call.handle, restore: view.restore })
      const rendition = withoutReplacedText(call.text, action, hint)
      if (rendition === null) return
      yield { kind: 'show', item: call, rendition, reason: 'input', strategy, by: null }
    },
  }
}
