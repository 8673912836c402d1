import type { Excerpt } from '../../files/index.ts'
import { pointerTo } from '../../render/index.ts'
import type { Item } from '../../words/item.ts'
import { type Operation, outputOf } from '../../words/operation.ts'
import type { Proposals, Strategy, View } from '../strategy.ts'
import { type Holder, holderOf, isFree } from './file-holder.ts'
import { forFile } from './hide-read.ts'
import { createHoldersByPath } from './holders-by-path.ts'
import { createLinePlaces } from './line-places.ts'
import { succeeded } from './outcome.ts'
import { partialReread } from './partial-reread.ts'
import { RenewedViews } from './renewed-views.ts'
import { restoresFiles } from './restored-files.ts'
import { isSpelledOut } from './spelled-change.ts'

/**
 * A read and the edits after it become one view of the current file, in place of the newest read, so that the agent can go
 * on editing without reading again. A view shows every line that the replaced items showed and that is still in the file,
 * in whole or in part. Where the file's text is not certain, nothing is done.
 * A read of unchanged lines that are still shown becomes a pointer to them.
 */
export function currentView(): Strategy {
  const places = createLinePlaces()
  const holders = createHoldersByPath(places)
  const touched = new Set<string>()
  const views = new RenewedViews(holders)

  /** Points a read to an earlier one that shows all of its lines; false when there is none. */
  function* pointToEarlier(read: Holder, held: readonly Holder[], view: View): Proposals<boolean> {
    const { result } = read.operation
    if (result === null || read.lines.ids.length === 0) return false
    const earlier = places.showingAll(read, held)
    if (earlier === null) return false
    const text = pointerTo(
      earlier.operation,
      { text: outputOf(read.operation), handle: result.handle, isFile: true },
      view.restore,
    )
    if (text === null) return false
    const outcome = yield forFile(result, earlier.item, { how: 'pointer', text })
    return outcome === 'decided'
  }

  /** Shows only the new lines of a read. */
  function* showOnlyNew(read: Holder, view: View): Proposals {
    const partial = partialReread(read, places, view.restore)
    if (partial === null) return
    const { text, lines, source } = partial
    const outcome = yield forFile(read.item, source?.item ?? null, { how: 'truncated', text })
    if (outcome === 'decided') read.lines = lines
  }

  function* hold(operation: Operation, kind: Holder['kind'], item: Item, view: View): Proposals {
    const excerpts = view.files.shownBy(item.index)
    if (excerpts.length === 0) return
    for (const { path } of excerpts) touched.add(path)
    // An item that shows several files cannot be hidden for one of them.
    if (excerpts.length > 1) return
    const excerpt = excerpts[0] as Excerpt
    const { path } = excerpt
    const holder = holderOf(operation, kind, item, excerpt)
    if (holder === null || !isOnlyFile(holder, path, view)) return
    if (kind === 'read') {
      const held = holders.held(path, view)
      const missing = places.find(holder, held)
      if (missing === 0 && (yield* pointToEarlier(holder, held, view))) return
      if (missing < holder.lines.ids.length) yield* showOnlyNew(holder, view)
    }
    // A placeholder shows no lines.
    if (view.isVisible(item)) holders.add(path, holder, view)
  }

  /** Stops tracking moved files, which stay as they were shown. */
  function dropMoved(operation: Operation): void {
    for (const { kind, path: source } of operation.effects.changes) {
      if (kind !== 'move') continue
      for (const path of holders.paths()) {
        if (path === source || path.startsWith(`${source}/`)) holders.drop(path)
      }
    }
  }

  /** A command may have restored a text that a view replaced, so the originals are shown again. */
  function* takeBackRestored(operation: Operation, view: View): Proposals {
    if (!restoresFiles(operation.action)) return
    const named = operation.effects.named
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
      dropMoved(operation)
      yield* takeBackRestored(operation, view)
      const isUndone = isUndo(operation)
      for (const path of operation.effects.named) {
        if (holders.has(path)) touched.add(path)
        if (isUndone) views.undo(path)
      }
      if (operation.result !== null) yield* hold(operation, 'read', operation.result, view)
      yield* hold(operation, 'change', operation.call, view)
    },
    // Views replace reads that were sent, so they are created only when sent bytes may change.
    *epoch(view) {
      for (const path of touched) yield* views.renew(path, view)
      // Files whose items are too recent or may not change yet are checked again at the next epoch.
      for (const path of touched) {
        const waits = holders
          .of(path)
          .some((holder) => !isFree(holder, view) || !view.mayChange(holder.item))
        if (!waits) touched.delete(path)
      }
    },
  }
}

/** True when the item contains nothing but lines of this file. */
function isOnlyFile({ kind, operation, lines }: Holder, path: string, view: View): boolean {
  if (kind === 'change') {
    return isSpelledOut(operation.action, lines, () => view.files.current(path))
  }
  // Diagnostics exist in no other item.
  return operation.reading?.injected.every((each) => each.kind !== 'diagnostics') === true
}

function isUndo({ action }: Operation): boolean {
  return action.kind === 'edit' && action.edits.some((edit) => edit.kind === 'undo')
}
