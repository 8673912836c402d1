import type { Excerpt } from '../../files/index.ts'
import { isRecent } from '../../guard/protection-window.ts'
import type { Decision, Rendition } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import type { View } from '../strategy.ts'
import type { CurrentLines } from './current-lines.ts'
import { linesAsShown, type ShownLines } from './shown-lines.ts'

/** An item in the context that shows lines of one file. */
export interface Holder {
  readonly operation: Operation
  readonly kind: 'read' | 'change'
  readonly path: string
  /** The item that shows them: the result of a read, or the input of a change. */
  readonly item: Item
  /** The lines that it currently shows. */
  lines: ShownLines
  /**
   * Lines that it or the items it replaced have shown and that are no longer in the file; an undo may bring them back. Each
   * with the item that first showed it.
   */
  former: ReadonlyMap<number, number>
  /** How many characters were saved on it and the items that it replaced. */
  saved: number
  /** The stripped input of a change; undefined until it is computed. */
  stripped: Rendition | null | undefined
  /** Increases from holder to holder; 0 before it is added to `HoldersByPath`. */
  order: number
}

/** null when a line is not shown whole or appears twice, so that the item cannot be replaced. */
export function holderOf(
  operation: Operation,
  kind: Holder['kind'],
  item: Item,
  { path, ids, first }: Excerpt,
): Holder | null {
  if (!isWhole(ids)) return null
  // Several changes of one call may overlap in a line.
  if (kind === 'change' && ids.length > 1 && new Set(ids).size < ids.length) return null
  const lines = linesAsShown(ids, kind === 'change' ? null : first, item.index)
  return {
    operation,
    kind,
    path,
    item,
    lines,
    former: noLines,
    saved: 0,
    stripped: undefined,
    order: 0,
  }
}

const noLines: ReadonlyMap<number, number> = new Map()

function isWhole(ids: readonly (number | null)[]): ids is readonly number[] {
  return !ids.includes(null)
}

/** True while the item shows its lines, in full or as a view. */
export function isHolding({ item }: Holder, view: View): boolean {
  if (view.decisions.isReverted(item.index)) return false
  const standing = view.decisions.of(item.index)
  if (standing === undefined || standing.rendition.how === 'view') return true
  // These renditions keep the new text of an edit, and the new lines of a read.
  return standing.strategy === 'pruneReplacedText' || isPartial(standing)
}

/** True for a read that shows only lines that no other item shows. */
function isPartial({ rendition, strategy }: Decision): boolean {
  return rendition.how === 'truncated' && strategy === 'files'
}

/** True when the item is neither of the turn that has just ended nor of a protected turn. */
export function isOutsideProtectedTurns({ operation }: Holder, view: View): boolean {
  const { call, result } = operation
  // A result may come some turns after its call.
  const turn = Math.max(call.turn, result?.turn ?? 0)
  return !isRecent(turn, view.turn, view.settings)
}

/** True when it is unknown whether one of the holder's lines is still in the file. */
export function isInDoubt({ lines }: Holder, current: CurrentLines): boolean {
  return lines.ids.some((id) => current.isUncertain(id))
}

/** True when none of the holder's lines is left in the file. */
export function isGone(holder: Holder, current: CurrentLines): boolean {
  const hasLine = holder.lines.ids.some((id) => current.has(id) || current.leftOf(id).length > 0)
  return !hasLine && !isInDoubt(holder, current)
}

/** True when the first holder shows everything that the file has, or may have, of the second one's lines. */
export function showsAll(shown: Holder, { lines }: Holder, current: CurrentLines): boolean {
  return lines.ids.every((id) => current.isAmong(id, shown.lines))
}

/** True when the first holder shows every line of the second under the same number. */
export function showsSame({ lines }: Holder, { lines: wanted }: Holder): boolean {
  if (lines.ids.length < wanted.ids.length) return false
  for (let at = 0; at < wanted.ids.length; at++) {
    if (!lines.shows(wanted.ids[at] as number, wanted.numberAt(at))) return false
  }
  return true
}

export function shownLength({ item }: Holder, view: View): number {
  return view.decisions.of(item.index)?.rendition.text?.length ?? item.text.length
}

/** All lines that these holders show or have shown, except those that are shown now. */
export function formerLines(
  holders: readonly Holder[],
  shownNow: Pick<ShownLines, 'has'>,
): ReadonlyMap<number, number> {
  const gone = new Map<number, number>()
  for (const { former, lines } of holders) {
    for (const [id, item] of former) if (!shownNow.has(id)) gone.set(id, item)
    lines.ids.forEach((id, position) => {
      if (!shownNow.has(id)) gone.set(id, lines.itemAt(position))
    })
  }
  return gone
}
