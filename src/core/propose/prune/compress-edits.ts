import { editListInput, listedInput } from '../../render/edit-intents.ts'
import { placeholderFor } from '../../render/placeholders.ts'
import type { Rendition, RenditionProposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const strategy = 'compressEdits'
/** How many edits of one file make a long run. */
const longRun = { keepAllEdits: 10, otherwise: 3 }
/** A list holds at most this many edits, so that its size does not grow with the session. */
const longestRun = 100

interface TrackedRun {
  readonly path: string
  /** In order. */
  edits: Operation[]
  /** How many of them the newest list has. */
  listed: number
}

/**
 * `compressEdits`: a long run of old edits of one file becomes a list of their intents, at the newest of them, and the list
 * grows with the run. With `keepAllEdits` off, three edits are a long run. The newest results of all tools are left alone.
 * Under `current-view` nothing is compressed, because an edit may be the only item that still shows the file's text.
 */
export const compressEdits: StrategyFactory = (settings) => {
  const { history } = settings
  const isOn = history.compressEdits || !history.keepAllEdits
  if (!isOn || settings.files === 'current-view') return null
  const needed = history.keepAllEdits ? longRun.keepAllEdits : longRun.otherwise
  const recent: { readonly operation: Operation; readonly ordinal: number }[] = []
  const runs = new Map<string, TrackedRun>()
  /** Runs with edits that are not listed yet. */
  const due = new Set<TrackedRun>()
  let results = 0

  /** Takes an edit that is no longer among the newest results. */
  function addToRun(operation: Operation, view: View): void {
    const path = editedFile(operation)
    if (path === null || !isUntouched(operation.call, view)) return
    const known = runs.get(path)
    const run =
      known === undefined || known.edits.length >= longestRun
        ? { path, edits: [], listed: 0 }
        : known
    runs.set(path, run)
    run.edits.push(operation)
    if (run.edits.length >= needed) due.add(run)
  }

  return {
    name: strategy,
    operation(operation, view): undefined {
      results++
      while (recent[0] !== undefined && results - recent[0].ordinal >= history.recentResults) {
        addToRun(recent.shift()!.operation, view)
      }
      if (operation.status === 'ok' && editedFile(operation) !== null) {
        recent.push({ operation, ordinal: results })
      }
    },
    *epoch(view) {
      for (const run of [...due]) {
        run.edits = run.edits.filter(({ call }) => isFullOrListed(call, view))
        if (run.edits.length < needed || (yield* compress(run, view))) due.delete(run)
      }
    },
  }
}

/** True for an item that is shown in full, and for one that is already in the list. */
function isFullOrListed(item: Item, view: View): boolean {
  return isUntouched(item, view) || view.decisions.of(item.index)?.strategy === strategy
}

function editedFile({ action }: Operation): string | null {
  if (action.kind === 'edit') return action.path === '' ? null : action.path
  const [file, ...others] = action.kind === 'patch' ? action.files : []
  return file?.op === 'update' && others.length === 0 ? file.path : null
}

/** False when the list would be longer than what it replaces, or when some of that may not change now. */
function* compress(run: TrackedRun, view: View): Proposals<boolean> {
  const carrier = run.edits.at(-1) as Operation
  const inputs: RenditionProposal[] = []
  let sparedChars = 0
  for (const { call } of run.edits.slice(0, -1)) {
    const input = listedInput(view.operationOf(call) as Operation)
    if (input === null) continue
    const proposal = listed(call, input, carrier)
    if (view.decisions.of(call.index)?.rendition.text !== input.text) {
      if ((yield { kind: 'check', proposal }) !== 'decided') return false
      inputs.push(proposal)
    }
    sparedChars += call.text.length - (input.text?.length ?? 0)
  }
  const list = editListInput(carrier, { ...run, sparedChars }, view.restore)
  if (list === null) return false
  const outcome = yield { ...listed(carrier.call, list, null), sparedChars }
  if (outcome !== 'decided') return false
  for (const proposal of inputs) yield proposal
  for (const edit of run.edits.slice(Math.max(0, run.listed - 1), -1)) {
    if (edit.result === null || !isUntouched(edit.result, view)) continue
    const recall = { handle: edit.result.handle, restore: view.restore }
    const text = placeholderFor(edit, carrier, 'edits', recall)
    yield listed(edit.result, { how: 'superseded', text }, carrier)
  }
  run.listed = run.edits.length
  return true
}

function listed(item: Item, rendition: Rendition, carrier: Operation | null): RenditionProposal {
  const by = carrier?.call ?? null
  return { kind: 'show', item, rendition, reason: 'edits', strategy, by }
}
