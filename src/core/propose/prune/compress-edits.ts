import { editListInput } from '../../render/edit-intents.ts'
import { placeholderFor } from '../../render/placeholders.ts'
import { strippedInput } from '../../render/stripped-input.ts'
import type { Rendition, RenditionProposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const strategy = 'compressEdits'
/** How many edits of one file make a long run. */
const longRun = { keepAllEdits: 10, otherwise: 3 }
/** An input of this many characters has room for a list. */
const roomyChars = 1500

/**
 * `history.compressEdits`: a long run of old edits of one file becomes a list of their intents, in the input of one of
 * them. The newest results of all tools are left alone. Under `current-view` nothing is compressed, because an edit may be
 * the only item that still shows the file's text.
 */
export const compressEdits: StrategyFactory = (settings) => {
  const { history } = settings
  if (!history.compressEdits || settings.files === 'current-view') return null
  const needed = history.keepAllEdits ? longRun.keepAllEdits : longRun.otherwise
  const recent: { readonly operation: Operation; readonly ordinal: number }[] = []
  const runs = new Map<string, Operation[]>()
  let results = 0

  function* leavesRecent(operation: Operation, view: View): Proposals {
    const path = editedFile(operation)
    if (path === null || !isUntouched(operation.call, view)) return
    const run = runs.get(path) ?? []
    runs.set(path, run)
    run.push(operation)
    if (run.length < needed) return
    const edits = run.filter((edit) => isUntouched(edit.call, view))
    runs.set(path, edits)
    if (edits.length < needed) return
    if (yield* compress(path, edits, view)) runs.delete(path)
    // No list fits into a run this long, so its oldest edits stay as they are.
    else if (edits.length >= needed * 4) runs.set(path, edits.slice(needed))
  }

  return {
    name: strategy,
    *operation(operation, view) {
      results++
      while (recent[0] !== undefined && results - recent[0].ordinal >= history.recentResults) {
        yield* leavesRecent(recent.shift()!.operation, view)
      }
      if (operation.status === 'ok' && editedFile(operation) !== null) {
        recent.push({ operation, ordinal: results })
      }
    },
  }
}

function editedFile({ action }: Operation): string | null {
  if (action.kind === 'edit') return action.path === '' ? null : action.path
  const [file, ...others] = action.kind === 'patch' ? action.files : []
  return file?.op === 'update' && others.length === 0 ? file.path : null
}

/** False when no input of the run has room for the list, or the one that has may not show it. */
function* compress(path: string, edits: readonly Operation[], view: View): Proposals<boolean> {
  // The newest edit is preferred for the list; the longest has the most room for it.
  const newest = edits.at(-1) as Operation
  const longest = edits.reduce((most, edit) => (sizeOf(edit) > sizeOf(most) ? edit : most))
  const carrier = sizeOf(newest) >= roomyChars ? newest : longest
  const list = editListInput(carrier, { path, edits }, view.restore)
  if (list === null) return false
  const outcome = yield listed(carrier.call, list, null)
  if (outcome === 'refused') return false
  for (const edit of edits) {
    if (edit === carrier) continue
    const input = strippedInput(edit, view.restore)
    if (input !== null) yield listed(edit.call, input, carrier)
    if (edit.result === null || !isUntouched(edit.result, view)) continue
    const recall = { handle: edit.result.handle, restore: view.restore }
    const text = placeholderFor(edit, carrier, 'edits', recall)
    yield listed(edit.result, { how: 'superseded', text }, carrier)
  }
  return true
}

function sizeOf({ call }: Operation): number {
  return call.text.length
}

function listed(item: Item, rendition: Rendition, carrier: Operation | null): RenditionProposal {
  const by = carrier?.call ?? null
  return { kind: 'show', item, rendition, reason: 'edits', strategy, by }
}
