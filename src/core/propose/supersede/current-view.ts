import type { Showing } from '../../files/index.ts'
import { pointerTo } from '../../render/index.ts'
import type { Item } from '../../words/item.ts'
import { pathsOf } from '../../words/named-paths.ts'
import { type Operation, outputOf } from '../../words/operation.ts'
import type { Settings } from '../../words/settings.ts'
import type { Proposals, Strategy, View } from '../strategy.ts'
import { type Holder, holderOf, isFree } from './file-holder.ts'
import { forFile } from './hide-read.ts'
import { createHoldersByPath } from './holders-by-path.ts'
import { createLinePlaces } from './line-places.ts'
import { moveSources, restoresFiles } from './moved-files.ts'
import { succeeded } from './outcome.ts'
import { partialReread } from './partial-reread.ts'
import { createRenewedViews } from './renewed-views.ts'
import { isSpelledOut } from './spelled-change.ts'

/**
 * A read and the edits after it become one view of the file as it is now, in the place of the newest read, so that the
 * agent can go on editing without reading again. Nothing that is current leaves the page: a view shows every line that any
 * of the items it replaces showed and that the file still has, in whole or in part. Where the file's text is not certain,
 * nothing is done.
 * A read of lines that are unchanged and still in the page points to them.
 */
export function currentView(settings: Settings): Strategy {
  const places = createLinePlaces()
  const holders = createHoldersByPath(places)
  const touched = new Set<string>()
  const views = createRenewedViews(holders, settings)

  /** Points a read to an earlier one that shows all of its lines; false when there is none. */
  function* pointsBack(read: Holder, held: readonly Holder[], view: View): Proposals<boolean> {
    const { result } = read.operation
    if (result === null || read.lines.ids.length === 0) return false
    const earlier = places.showingAll(read, held)
    if (earlier === null) return false
    const text = pointerTo(
      earlier.operation,
      { text: outputOf(read.operation), handle: result.handle },
      view.restore,
    )
    if (text === null) return false
    const outcome = yield forFile(result, earlier.item, { how: 'pointer', text })
    return outcome === 'decided'
  }

  /** Of a read that shows something new, only that is shown again. */
  function* leaveOutKnown(read: Holder, view: View): Proposals {
    const partial = partialReread(read, places, view.restore)
    if (partial === null) return
    const { text, lines, source } = partial
    const outcome = yield forFile(read.item, source?.item ?? null, { how: 'truncated', text })
    if (outcome === 'decided') read.lines = lines
  }

  function* hold(operation: Operation, kind: Holder['kind'], item: Item, view: View): Proposals {
    const showings = view.files.shownBy(item.index)
    if (showings.length === 0) return
    for (const { path } of showings) touched.add(path)
    // What shows several files cannot go for the sake of one.
    if (showings.length > 1) return
    const showing = showings[0] as Showing
    const { path } = showing
    const holder = holderOf(operation, kind, item, showing)
    if (holder === null || !isOnlyFile(holder, path, view)) return
    if (kind === 'read') {
      const held = holders.held(path, view)
      const missing = places.find(holder, held)
      if (missing === 0 && (yield* pointsBack(holder, held, view))) return
      if (missing < holder.lines.ids.length) yield* leaveOutKnown(holder, view)
    }
    // A stand-in shows nothing, now or later.
    if (view.isVisible(item)) holders.add(path, holder, view)
  }

  /** What lies under another name now is no longer followed: it stays as it was shown. */
  function letGoOfMoved(operation: Operation): void {
    const sources = moveSources(operation.action)
    if (sources.length === 0) return
    for (const source of sources) {
      for (const path of holders.paths()) {
        if (path === source || path.startsWith(`${source}/`)) holders.letGo(path)
      }
    }
  }

  /** A text that a view was written over may be the file's again: what the agent saw of it comes back. */
  function* letGoOfRestored(operation: Operation, view: View): Proposals {
    if (!restoresFiles(operation.action)) return
    const named = pathsOf(operation)
    for (const path of named.length > 0 ? named : holders.paths()) {
      for (const { item, saved } of holders.held(path, view)) {
        if (saved !== 0) yield { kind: 'take-back', item }
      }
    }
  }

  return {
    name: 'files',
    *operation(operation, view) {
      if (!succeeded(operation)) return
      letGoOfMoved(operation)
      yield* letGoOfRestored(operation, view)
      const isUndone = isUndo(operation)
      for (const path of pathsOf(operation)) {
        if (holders.has(path)) touched.add(path)
        if (isUndone) views.undo(path)
      }
      if (operation.result !== null) yield* hold(operation, 'read', operation.result, view)
      yield* hold(operation, 'change', operation.call, view)
    },
    // Views stand in the place of reads that were sent, so that they are made only when those may change.
    *epoch(view) {
      for (const path of touched) yield* views.renew(path, view)
      // Files with changes that are too young to go, or in a place that may not change yet, are looked at again.
      for (const path of touched) {
        const waits = holders
          .of(path)
          .some((holder) => !isFree(holder, view) || !view.mayChange(holder.item))
        if (!waits) touched.delete(path)
      }
    },
  }
}

/** Whether what the item shows of one file is all that it says. */
function isOnlyFile({ kind, operation, lines }: Holder, path: string, view: View): boolean {
  if (kind === 'change') {
    return isSpelledOut(operation.action, lines, () => view.files.current(path))
  }
  // What a checker found in the new text stands in no other item.
  return operation.reading?.injected.every((each) => each.kind !== 'diagnostics') === true
}

function isUndo({ action }: Operation): boolean {
  return action.kind === 'edit' && action.edits.some((edit) => edit.kind === 'undo')
}
