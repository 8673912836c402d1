import type { Proposal } from '../decision.ts'
import { pathsOf } from '../guard/named-paths.ts'
import type { Item } from '../record/item.ts'
import { pointerTo, renderFileView, strippedInput } from '../render/index.ts'
import type { Settings } from '../settings.ts'
import type { Scene, Strategy } from '../strategy.ts'
import type { Showing } from '../track/files/index.ts'
import type { Operation } from '../track/operation.ts'
import { type CurrentLines, currentLines } from './current-lines.ts'
import {
  formerLines,
  type Holder,
  holderOf,
  isFree,
  isGone,
  isHolding,
  isInDoubt,
  shownLength,
  showsAll,
} from './file-holder.ts'
import { createGoneReads } from './gone-reads.ts'
import { forFile, hidden, hideRead } from './hide-read.ts'
import { createHoldersByPath } from './holders-by-path.ts'
import { createLinePlaces } from './line-places.ts'
import { moveSources, restoresFiles } from './moved-files.ts'
import { succeeded } from './outcome.ts'
import { partialReread } from './partial-reread.ts'
import { linesTogether } from './shown-lines.ts'
import { isSpelledOut } from './spelled-change.ts'

/** What a placeholder takes, about; it only has to tell a gain from none. */
const placeholderLength = 110

/**
 * A read and the edits after it become one view of the file as it is now, in the place of the newest read, so that the
 * agent can go on editing without reading again. Nothing that is current leaves the page: a view shows every line that any
 * of the items it replaces showed and that the file still has. Where the file's text is not certain, nothing is done.
 * A read of lines that are unchanged and still in the page points to them.
 */
export function currentView(settings: Settings): Strategy {
  const places = createLinePlaces()
  const holders = createHoldersByPath(places)
  const touched = new Set<string>()
  const undone = new Set<string>()
  const gone = createGoneReads()

  /** Points a read to an earlier one that shows all of its lines; false when there is none. */
  function pointsBack(read: Holder, held: readonly Holder[], scene: Scene): boolean {
    const { result } = read.operation
    if (result === null || read.lines.ids.length === 0) return false
    const earlier = places.showingAll(read, held)
    if (earlier === null) return false
    const text = pointerTo(earlier.operation, result)
    if (text === null) return false
    const proposal = forFile(result, earlier.item, { how: 'pointer', text })
    return scene.propose(proposal) === 'decided'
  }

  /** Of a read that shows something new, only that is shown again. */
  function leaveOutKnown(read: Holder, scene: Scene): void {
    const partial = partialReread(read, places)
    if (partial === null) return
    const { text, lines, source } = partial
    const proposal = forFile(read.item, source?.item ?? null, { how: 'truncated', text })
    if (scene.propose(proposal) === 'decided') read.lines = lines
  }

  function hold(operation: Operation, kind: Holder['kind'], item: Item, scene: Scene): void {
    const showings = scene.files.shownBy(item.index)
    if (showings.length === 0) return
    for (const { path } of showings) touched.add(path)
    // What shows several files cannot go for the sake of one.
    if (showings.length > 1) return
    const showing = showings[0] as Showing
    const { path } = showing
    const holder = holderOf(operation, kind, item, showing)
    if (holder === null || !isOnlyFile(holder, path, scene)) return
    if (kind === 'read') {
      const held = holders.held(path, scene)
      const missing = places.find(holder, held)
      if (missing === 0 && pointsBack(holder, held, scene)) return
      if (missing < holder.lines.ids.length) leaveOutKnown(holder, scene)
    }
    // A stand-in shows nothing, now or later.
    if (scene.isVisible(item)) holders.add(path, holder, scene)
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
  function letGoOfRestored(operation: Operation, scene: Scene): void {
    if (!restoresFiles(operation.action)) return
    const named = pathsOf(operation)
    for (const path of named.length > 0 ? named : holders.paths()) {
      for (const { item, saved } of holders.held(path, scene)) if (saved !== 0) scene.takeBack(item)
    }
  }

  function renew(path: string, scene: Scene): void {
    if (!holders.has(path)) return
    const current = currentLines(scene.files.current(path), (id) => scene.files.isLost(path, id))
    if (undone.has(path)) gone.bringBack(path, current, scene)
    const shown = holders
      .held(path, scene)
      .filter((holder) => !goesWithItsText(holder, path, current, scene))
    const newest = shown.findLast((holder) => holder.kind === 'read')
    if (newest === undefined) return
    const replaceable = shown.filter((holder) => isReplaceable(holder, newest, scene))
    const covered = replaceable.filter((holder) => showsAll(newest, holder, current))
    newest.former = formerLines([newest, ...covered], newest.lines)
    replaceAll(path, covered, newest, scene)
    const rest = replaceable.filter(
      (holder) => !covered.includes(holder) && !isInDoubt(holder, current),
    )
    const back = undone.has(path) ? linesBack(newest, current) : []
    if (rest.length === 0 && back.length === 0) return
    if (isInDoubt(newest, current) || !isFree(newest, scene, settings)) return
    if (!show(path, newest, rest, current, scene)) return
    undone.delete(path)
    replaceAll(path, rest, newest, scene)
  }

  function isReplaceable(holder: Holder, newest: Holder, scene: Scene): boolean {
    const { turn } = newest.operation
    if (holder === newest || !isFree(holder, scene, settings)) return false
    if (holder.kind === 'change') return holder.operation.turn !== turn
    return holder.operation.turn < turn && scene.allows(hidden(holder, newest.operation))
  }

  /** A read of which nothing is left in the file goes without a view: what changed it says what is there now. */
  function goesWithItsText(
    holder: Holder,
    path: string,
    current: CurrentLines,
    scene: Scene,
  ): boolean {
    if (holder.kind !== 'read' || holder.lines.ids.length === 0) return false
    if (!isFree(holder, scene, settings) || !isGone(holder, current)) return false
    const after = holder.operation.call.index
    const last = scene.files
      .history(path)
      .findLast(({ kind, call }) => kind !== 'read' && call !== null && call > after)
    const call = last?.call ?? null
    const by = call === null ? undefined : scene.operationOf(scene.item(call))
    if (by === undefined || !succeeded(by)) return false
    hideRead(holder, by, scene)
    if (isHolding(holder, scene)) return false
    gone.add(path, holder)
    return true
  }

  /** Shows the newest read as a view that holds the lines of all; false when that is not possible or saves nothing. */
  function show(
    path: string,
    newest: Holder,
    replaced: readonly Holder[],
    current: CurrentLines,
    scene: Scene,
  ): boolean {
    const { result, reading } = newest.operation
    const all = [newest, ...replaced]
    const wanted = new Map<number, number>()
    for (const [id, item] of newest.former) if (current.has(id)) wanted.set(id, item)
    for (const { lines } of all) {
      lines.ids.forEach((id, position) => {
        if (current.has(id)) wanted.set(id, lines.itemAt(position))
      })
    }
    const runs = current.runs(wanted)
    if (result === null || reading === null || runs === null || runs.length === 0) return false
    const turn = Math.max(...all.map(({ operation }) => operation.turn))
    const text = renderFileView(
      { text: result.text, reading },
      { path, runs, turn, handle: result.handle },
    )
    if (text === null) return false
    const before = all.reduce((sum, holder) => sum + shownLength(holder, scene), 0)
    const after = replaced.reduce((sum, holder) => sum + leftLength(holder, scene), text.length)
    // What an undo brings back may take what was saved before, and no more.
    const gain = before - after
    if (replaced.length === 0 ? gain + newest.saved < 0 : gain <= 0) return false
    const by = replaced.at(-1)?.item ?? null
    if (scene.propose(forFile(result, by, { how: 'view', text })) !== 'decided') return false
    newest.former = formerLines(all, wanted)
    const ids = [...wanted.keys()]
    const lines = linesTogether(ids, ids.map(current.numberOf), [...wanted.values()])
    holders.showAnew(path, newest, lines)
    newest.saved += gain + replaced.reduce((sum, { saved }) => sum + saved, 0)
    return true
  }

  /** Nothing of these is in the page alone: reads become placeholders, changes keep what they are about. */
  function replaceAll(
    path: string,
    replaced: readonly Holder[],
    newest: Holder,
    scene: Scene,
  ): void {
    if (replaced.length === 0) return
    for (const holder of replaced) {
      if (holder.kind === 'read') hideRead(holder, newest.operation, scene)
      else {
        // A view in an earlier place shows what was changed after it; a mere read does not.
        const showsIt = newest.saved > 0 || newest.operation.turn > holder.operation.turn
        const proposal = stripped(holder, showsIt ? newest.item : null)
        if (proposal !== null) scene.propose(proposal)
      }
    }
    // What could not be changed yet is looked at again when it can.
    holders.keep(
      path,
      (holder) =>
        !replaced.includes(holder) ||
        (!scene.mayChange(holder.item) && scene.ledger.of(holder.item.index) === undefined),
    )
  }

  /** What a change keeps of its input; null where inputs stay as they are. */
  function stripped(holder: Holder, by: Item | null): Proposal | null {
    if (!settings.pruneToolInputs) return null
    if (holder.stripped === undefined) holder.stripped = strippedInput(holder.operation)
    const { item, stripped: text } = holder
    if (text === null) return null
    return { item, by, reason: 'input', strategy: 'files', rendition: { how: 'stripped', text } }
  }

  function leftLength(holder: Holder, scene: Scene): number {
    const { kind, item } = holder
    if (kind === 'read') return Math.min(placeholderLength, item.text.length)
    const proposal = stripped(holder, null)
    const isAllowed = proposal !== null && scene.allows(proposal)
    return isAllowed ? (proposal.rendition.text?.length ?? 0) : item.text.length
  }

  return {
    name: 'files',
    operation(operation, scene) {
      if (!succeeded(operation)) return
      letGoOfMoved(operation)
      letGoOfRestored(operation, scene)
      const isUndone = isUndo(operation)
      for (const path of pathsOf(operation)) {
        if (holders.has(path)) touched.add(path)
        if (isUndone) undone.add(path)
      }
      if (operation.result !== null) hold(operation, 'read', operation.result, scene)
      hold(operation, 'change', operation.call, scene)
    },
    // Views stand in the place of reads that were sent, so that they are made only when those may change.
    epoch(scene) {
      for (const path of touched) renew(path, scene)
      // Files with changes that are too young to go, or in a place that may not change yet, are looked at again.
      for (const path of touched) {
        const waits = holders
          .of(path)
          .some((holder) => !isFree(holder, scene, settings) || !scene.mayChange(holder.item))
        if (!waits) touched.delete(path)
      }
    },
  }
}

/** Whether what the item shows of one file is all that it says. */
function isOnlyFile({ kind, operation, lines }: Holder, path: string, scene: Scene): boolean {
  if (kind === 'change') {
    return isSpelledOut(operation.action, lines, () => scene.files.current(path))
  }
  // What a checker found in the new text stands in no other item.
  return operation.reading?.injected.every((each) => each.kind !== 'diagnostics') === true
}

function isUndo({ action }: Operation): boolean {
  return action.kind === 'edit' && action.edits.some((edit) => edit.kind === 'undo')
}

function linesBack({ former }: Holder, current: CurrentLines): readonly number[] {
  return [...former.keys()].filter((id) => current.has(id))
}
