import { nameOperation, renderFileView, strippedInput, writtenPath } from '../../render/index.ts'
import type { NewestChange } from '../../render/marks.ts'
import type { RenditionProposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import { addToList } from '../../words/lists.ts'
import type { Check, Proposals, View } from '../strategy.ts'
import { type CurrentLines, currentLines } from './current-lines.ts'
import {
  formerLines,
  type Holder,
  isGone,
  isHolding,
  isInDoubt,
  isOutsideProtectedTurns,
  shownLength,
  showsAll,
} from './file-holder.ts'
import { forFile, hidden, hideRead } from './hide-read.ts'
import type { HoldersByPath } from './holders-by-path.ts'
import { succeeded } from './outcome.ts'
import { linesTogether } from './shown-lines.ts'

/** The approximate length of a placeholder. */
const placeholderLength = 110

/** Creates and renews the views of files when sent bytes may change. */
export class RenewedViews {
  readonly #holders: HoldersByPath
  readonly #undone = new Set<string>()
  /** Reads that were hidden because none of their lines was left in the file. An undo may bring the lines back. */
  readonly #gone = new Map<string, Holder[]>()

  constructor(holders: HoldersByPath) {
    this.#holders = holders
  }

  /** A change of the file was undone, so removed lines may be back. */
  undo(path: string): void {
    this.#undone.add(path)
  }

  /** Shows the newest read of a file as it is now, with the lines that other items show of it, and hides those items. */
  *renew(path: string, view: View): Proposals {
    if (!this.#holders.has(path)) return
    const { files } = view
    const isLost = (id: number): boolean => files.isLost(path, id)
    const current = currentLines(files.current(path), isLost, (id) => files.successorsOf(id))
    if (this.#undone.has(path)) yield* this.#bringBack(path, current, view)
    const shown: Holder[] = []
    for (const holder of this.#holders.held(path, view)) {
      if (!(yield* this.#hideGone(holder, path, current, view))) shown.push(holder)
    }
    const newest = shown.findLast((holder) => holder.kind === 'read')
    if (newest === undefined) return
    const replaceable: Holder[] = []
    for (const holder of shown) {
      if (yield* this.#isReplaceable(holder, newest, view)) replaceable.push(holder)
    }
    const covered = replaceable.filter((holder) => showsAll(newest, holder, current))
    newest.former = formerLines([newest, ...covered], newest.lines)
    yield* this.#replaceAll(path, covered, newest, view)
    const rest = replaceable.filter(
      (holder) => !covered.includes(holder) && !isInDoubt(holder, current),
    )
    const back = this.#undone.has(path) ? linesBack(newest, current) : []
    if (rest.length === 0 && back.length === 0) return
    if (isInDoubt(newest, current) || !isOutsideProtectedTurns(newest, view)) return
    if (!(yield* this.#show(path, newest, rest, current, view))) return
    this.#undone.delete(path)
    yield* this.#replaceAll(path, rest, newest, view)
  }

  *#isReplaceable(holder: Holder, newest: Holder, view: View): Proposals<boolean> {
    const { turn } = newest.operation
    if (holder === newest || !isOutsideProtectedTurns(holder, view)) return false
    if (holder.kind === 'change') return holder.operation.turn !== turn
    if (holder.operation.turn >= turn) return false
    return (yield check(hidden(holder, newest.operation, view))) === 'decided'
  }

  /** Hides a read when the file has none of its lines any more. No view is needed, because the change shows the new text. */
  *#hideGone(holder: Holder, path: string, current: CurrentLines, view: View): Proposals<boolean> {
    if (holder.kind !== 'read' || holder.lines.ids.length === 0) return false
    if (!isOutsideProtectedTurns(holder, view) || !isGone(holder, current)) return false
    const after = holder.operation.call.index
    const last = view.files
      .history(path)
      .findLast(({ kind, call }) => kind !== 'read' && call !== null && call > after)
    const call = last?.call ?? null
    const by = call === null ? undefined : view.operationOf(view.item(call))
    if (by === undefined || !succeeded(by)) return false
    yield* hideRead(holder, by, view)
    if (isHolding(holder, view)) return false
    addToList(this.#gone, path, holder)
    return true
  }

  /** Shows reads again whose lines are back in the file, as soon as sent bytes may change. */
  *#bringBack(path: string, current: CurrentLines, view: View): Proposals {
    const waiting: Holder[] = []
    for (const read of this.#gone.get(path) ?? []) {
      const isBack = read.lines.ids.some((id) => current.leftOf(id).length > 0)
      if (isBack && view.mayChange(read.item)) yield { kind: 'take-back', item: read.item }
      else waiting.push(read)
    }
    this.#gone.set(path, waiting)
  }

  /** Shows the newest read as a view with the lines of all holders; false when that is impossible or saves nothing. */
  *#show(
    path: string,
    newest: Holder,
    replaced: readonly Holder[],
    current: CurrentLines,
    view: View,
  ): Proposals<boolean> {
    const { result, reading } = newest.operation
    const all = [newest, ...replaced]
    const wanted = new Map<number, number>()
    // The rest of a partly changed line is shown nowhere else.
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
    const text = renderFileView(
      { text: result.text, reading },
      {
        path: writtenPath(newest.operation, path),
        runs,
        newest: newestChange(newest, replaced),
        recall: { handle: result.handle, restore: view.restore },
      },
    )
    if (text === null) return false
    const before = all.reduce((sum, holder) => sum + shownLength(holder, view), 0)
    let after = text.length
    for (const holder of replaced) after += yield* this.#lengthAfter(holder, view)
    // Lines that an undo brings back may use up earlier savings, but no more.
    const gain = before - after
    if (replaced.length === 0 ? gain + newest.saved < 0 : gain <= 0) return false
    const by = replaced.at(-1)?.item ?? null
    if ((yield forFile(result, by, { how: 'view', text })) !== 'decided') return false
    newest.former = formerLines(all, wanted)
    const ids = [...wanted.keys()]
    const lines = linesTogether(ids, ids.map(current.numberOf), [...wanted.values()])
    this.#holders.setLines(path, newest, lines)
    newest.saved += gain + replaced.reduce((sum, { saved }) => sum + saved, 0)
    return true
  }

  /** Hides holders whose lines are shown elsewhere: reads become placeholders, and changes get a stripped input. */
  *#replaceAll(path: string, replaced: readonly Holder[], newest: Holder, view: View): Proposals {
    if (replaced.length === 0) return
    for (const holder of replaced) {
      if (holder.kind === 'read') yield* hideRead(holder, newest.operation, view)
      else {
        // A view shows later changes too; an original read does not.
        const showsIt = newest.saved > 0 || newest.operation.turn > holder.operation.turn
        const proposal = this.#stripped(holder, showsIt ? newest.item : null, view)
        if (proposal !== null) yield proposal
      }
    }
    // Holders that may not change yet are kept for a later epoch.
    this.#holders.keep(
      path,
      (holder) =>
        !replaced.includes(holder) ||
        (!view.mayChange(holder.item) && view.decisions.of(holder.item.index) === undefined),
    )
  }

  /** The stripped input of a change; null when inputs stay as they are. */
  #stripped(holder: Holder, by: Item | null, view: View): RenditionProposal | null {
    if (!view.settings.pruneToolInputs) return null
    if (holder.stripped === undefined)
      holder.stripped = strippedInput(holder.operation, view.restore)
    const { item, stripped: rendition } = holder
    if (rendition === null) return null
    return { kind: 'show', item, by, reason: 'input', strategy: 'files', rendition }
  }

  *#lengthAfter(holder: Holder, view: View): Proposals<number> {
    const { kind, item } = holder
    if (kind === 'read') return Math.min(placeholderLength, item.text.length)
    const proposal = this.#stripped(holder, null, view)
    if (proposal === null || (yield check(proposal)) !== 'decided') return item.text.length
    return proposal.rendition.text?.length ?? 0
  }
}

/** The newest operation whose effect a view has; null when it is the read in whose place it stands. */
function newestChange(read: Holder, replaced: readonly Holder[]): NewestChange | null {
  const latest = replaced.reduce((newest, each) => {
    return each.operation.turn > newest.operation.turn ? each : newest
  }, read)
  const { operation, item } = latest
  return latest === read ? null : { name: nameOperation(operation), handle: item.handle }
}

function check(proposal: RenditionProposal): Check {
  return { kind: 'check', proposal }
}

function linesBack({ former, lines }: Holder, current: CurrentLines): readonly number[] {
  return [...former.keys()].flatMap(current.leftOf).filter((id) => !lines.has(id))
}
