import { renderFileView, strippedInput } from '../../render/index.ts'
import type { RenditionProposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Settings } from '../../words/settings.ts'
import type { Check, Proposals, View } from '../strategy.ts'
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
  renew(path: string, view: View): Proposals
}

export function createRenewedViews(holders: HoldersByPath, settings: Settings): RenewedViews {
  const undone = new Set<string>()
  const gone = createGoneReads()

  function* renew(path: string, view: View): Proposals {
    if (!holders.has(path)) return
    const { files } = view
    const isLost = (id: number): boolean => files.isLost(path, id)
    const current = currentLines(files.current(path), isLost, files.restsOf)
    if (undone.has(path)) yield* gone.bringBack(path, current, view)
    const shown: Holder[] = []
    for (const holder of holders.held(path, view)) {
      if (!(yield* goesWithItsText(holder, path, current, view))) shown.push(holder)
    }
    const newest = shown.findLast((holder) => holder.kind === 'read')
    if (newest === undefined) return
    const replaceable: Holder[] = []
    for (const holder of shown) {
      if (yield* isReplaceable(holder, newest, view)) replaceable.push(holder)
    }
    const covered = replaceable.filter((holder) => showsAll(newest, holder, current))
    newest.former = formerLines([newest, ...covered], newest.lines)
    yield* replaceAll(path, covered, newest, view)
    const rest = replaceable.filter(
      (holder) => !covered.includes(holder) && !isInDoubt(holder, current),
    )
    const back = undone.has(path) ? linesBack(newest, current) : []
    if (rest.length === 0 && back.length === 0) return
    if (isInDoubt(newest, current) || !isFree(newest, view)) return
    if (!(yield* show(path, newest, rest, current, view))) return
    undone.delete(path)
    yield* replaceAll(path, rest, newest, view)
  }

  function* isReplaceable(holder: Holder, newest: Holder, view: View): Proposals<boolean> {
    const { turn } = newest.operation
    if (holder === newest || !isFree(holder, view)) return false
    if (holder.kind === 'change') return holder.operation.turn !== turn
    if (holder.operation.turn >= turn) return false
    return (yield check(hidden(holder, newest.operation, view))) === 'decided'
  }

  /** A read of which nothing is left in the file goes without a view: what changed it says what is there now. */
  function* goesWithItsText(
    holder: Holder,
    path: string,
    current: CurrentLines,
    view: View,
  ): Proposals<boolean> {
    if (holder.kind !== 'read' || holder.lines.ids.length === 0) return false
    if (!isFree(holder, view) || !isGone(holder, current)) return false
    const after = holder.operation.call.index
    const last = view.files
      .history(path)
      .findLast(({ kind, call }) => kind !== 'read' && call !== null && call > after)
    const call = last?.call ?? null
    const by = call === null ? undefined : view.operationOf(view.item(call))
    if (by === undefined || !succeeded(by)) return false
    yield* hideRead(holder, by, view)
    if (isHolding(holder, view)) return false
    gone.add(path, holder)
    return true
  }

  /** Shows the newest read as a view that holds the lines of all; false when that is not possible or saves nothing. */
  function* show(
    path: string,
    newest: Holder,
    replaced: readonly Holder[],
    current: CurrentLines,
    view: View,
  ): Proposals<boolean> {
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
      { path, runs, turn, recall: { handle: result.handle, restore: view.restore } },
    )
    if (text === null) return false
    const before = all.reduce((sum, holder) => sum + shownLength(holder, view), 0)
    let after = text.length
    for (const holder of replaced) after += yield* leftLength(holder, view)
    // What an undo brings back may take what was saved before, and no more.
    const gain = before - after
    if (replaced.length === 0 ? gain + newest.saved < 0 : gain <= 0) return false
    const by = replaced.at(-1)?.item ?? null
    if ((yield forFile(result, by, { how: 'view', text })) !== 'decided') return false
    newest.former = formerLines(all, wanted)
    const ids = [...wanted.keys()]
    const lines = linesTogether(ids, ids.map(current.numberOf), [...wanted.values()])
    holders.showAnew(path, newest, lines)
    newest.saved += gain + replaced.reduce((sum, { saved }) => sum + saved, 0)
    return true
  }

  /** Nothing of these is in the page alone: reads become placeholders, changes keep what they are about. */
  function* replaceAll(
    path: string,
    replaced: readonly Holder[],
    newest: Holder,
    view: View,
  ): Proposals {
    if (replaced.length === 0) return
    for (const holder of replaced) {
      if (holder.kind === 'read') yield* hideRead(holder, newest.operation, view)
      else {
        // A view in an earlier place shows what was changed after it; a mere read does not.
        const showsIt = newest.saved > 0 || newest.operation.turn > holder.operation.turn
        const proposal = stripped(holder, showsIt ? newest.item : null, view)
        if (proposal !== null) yield proposal
      }
    }
    // What could not be changed yet is looked at again when it can.
    holders.keep(
      path,
      (holder) =>
        !replaced.includes(holder) ||
        (!view.mayChange(holder.item) && view.decisions.of(holder.item.index) === undefined),
    )
  }

  /** What a change keeps of its input; null where inputs stay as they are. */
  function stripped(holder: Holder, by: Item | null, { restore }: View): RenditionProposal | null {
    if (!settings.pruneToolInputs) return null
    if (holder.stripped === undefined) holder.stripped = strippedInput(holder.operation, restore)
    const { item, stripped: rendition } = holder
    if (rendition === null) return null
    return { kind: 'show', item, by, reason: 'input', strategy: 'files', rendition }
  }

  function* leftLength(holder: Holder, view: View): Proposals<number> {
    const { kind, item } = holder
    if (kind === 'read') return Math.min(placeholderLength, item.text.length)
    const proposal = stripped(holder, null, view)
    if (proposal === null || (yield check(proposal)) !== 'decided') return item.text.length
    return proposal.rendition.text?.length ?? 0
  }

  return {
    undo: (path) => {
      undone.add(path)
    },
    renew,
  }
}

function check(proposal: RenditionProposal): Check {
  return { kind: 'check', proposal }
}

function linesBack({ former, lines }: Holder, current: CurrentLines): readonly number[] {
  return [...former.keys()].flatMap(current.leftOf).filter((id) => !lines.has(id))
}
