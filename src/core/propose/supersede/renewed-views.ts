import { renderFileView, strippedInput } from '../../render/index.ts'
import type { Proposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Settings } from '../../words/settings.ts'
import type { Scene } from '../strategy.ts'
import { type CurrentLines, currentLines } from './current-lines.ts'
import {
  formerLines,
  type Holder,
  isFree,
  isGone,
  isHolding,
  isInDoubt,
  shownLength,
  showsAll,
} from './file-holder.ts'
import { createGoneReads } from './gone-reads.ts'
import { forFile, hidden, hideRead } from './hide-read.ts'
import type { HoldersByPath } from './holders-by-path.ts'
import { succeeded } from './outcome.ts'
import { linesTogether } from './shown-lines.ts'

/** What a placeholder takes, about; it only has to tell a gain from none. */
const placeholderLength = 110

/** The views of files, which are made when what was sent may change. */
export interface RenewedViews {
  /** A change of the file was taken back: lines that had left it may be there again. */
  undo(path: string): void
  /** Shows the newest read of a file as it is now, with what other items show of it, and takes those off the page. */
  renew(path: string, scene: Scene): void
}

export function createRenewedViews(holders: HoldersByPath, settings: Settings): RenewedViews {
  const undone = new Set<string>()
  const gone = createGoneReads()

  function renew(path: string, scene: Scene): void {
    if (!holders.has(path)) return
    const { files } = scene
    const isLost = (id: number): boolean => files.isLost(path, id)
    const current = currentLines(files.current(path), isLost, files.successorsOf)
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
    return holder.operation.turn < turn && scene.allows(hidden(holder, newest.operation, scene))
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
    // Of a line that was changed in part, also by what is not replaced now, the rest stands nowhere else.
    const want = (id: number, item: number): void => {
      if (current.has(id)) wanted.set(id, item)
      else for (const each of current.leftOf(id)) wanted.set(each, item)
    }
    for (const [id, item] of newest.former) want(id, item)
    for (const { lines } of all) {
      lines.ids.forEach((id, position) => {
        want(id, lines.itemAt(position))
      })
    }
    const runs = current.runs(wanted)
    if (result === null || reading === null || runs === null || runs.length === 0) return false
    const turn = Math.max(...all.map(({ operation }) => operation.turn))
    const text = renderFileView(
      { text: result.text, reading },
      { path, runs, turn, recall: { handle: result.handle, restore: scene.restore } },
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
        const proposal = stripped(holder, showsIt ? newest.item : null, scene)
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
  function stripped(holder: Holder, by: Item | null, { restore }: Scene): Proposal | null {
    if (!settings.pruneToolInputs) return null
    if (holder.stripped === undefined) holder.stripped = strippedInput(holder.operation, restore)
    const { item, stripped: rendition } = holder
    if (rendition === null) return null
    return { item, by, reason: 'input', strategy: 'files', rendition }
  }

  function leftLength(holder: Holder, scene: Scene): number {
    const { kind, item } = holder
    if (kind === 'read') return Math.min(placeholderLength, item.text.length)
    const proposal = stripped(holder, null, scene)
    const isAllowed = proposal !== null && scene.allows(proposal)
    return isAllowed ? (proposal.rendition.text?.length ?? 0) : item.text.length
  }

  return {
    undo: (path) => {
      undone.add(path)
    },
    renew,
  }
}

function linesBack({ former, lines }: Holder, current: CurrentLines): readonly number[] {
  return [...former.keys()].flatMap(current.leftOf).filter((id) => !lines.has(id))
}
