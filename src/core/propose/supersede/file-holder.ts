import type { Showing } from '../../files/index.ts'
import { isRecent } from '../../guard/protection-window.ts'
import type { Decision, Rendition } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import type { View } from '../strategy.ts'
import type { CurrentLines } from './current-lines.ts'
import { linesAsShown, type ShownLines } from './shown-lines.ts'

/** An item that shows lines of one file, and is still in the page. */
export interface Holder {
  readonly operation: Operation
  readonly kind: 'read' | 'change'
  readonly path: string
  /** The item that shows them: a read's result, a change's input. */
  readonly item: Item
  /** The lines that it shows, as it is shown now. */
  lines: ShownLines
  /**
   * Lines that it or what it replaced has shown, and that had left the file by then: an undo brings them back. Each with
   * the item that first brought it into the page.
   */
  former: ReadonlyMap<number, number>
  /** How many characters fewer it and what it replaced take than they did. */
  saved: number
  /** What a change keeps of its input when it is replaced; undefined until that is asked for. */
  stripped: Rendition | null | undefined
  /** Larger than that of every holder before it; 0 until it is one of those that are followed. */
  order: number
}

/** null when a line of it is not shown whole, or stands there twice, so that nothing can stand for it. */
export function holderOf(
  operation: Operation,
  kind: Holder['kind'],
  item: Item,
  { path, ids, first }: Showing,
): Holder | null {
  if (!isWhole(ids)) return null
  // A read shows each line in a place of its own; several changes of one call may meet in a line.
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

/** True while the item, which came whole, shows its lines: as it came, or as a view of ours. */
export function isHolding({ item }: Holder, view: View): boolean {
  if (view.decisions.isReverted(item.index)) return false
  const standing = view.decisions.of(item.index)
  if (standing === undefined || standing.rendition.how === 'view') return true
  // What an edit put in is still there, and so is what a read showed anew.
  return standing.strategy === 'pruneReplacedText' || isPartial(standing)
}

/** Of a read, the lines that no other item shows. */
function isPartial({ rendition, strategy }: Decision): boolean {
  return rendition.how === 'truncated' && strategy === 'files'
}

/** Old enough to be touched: neither of the turn that has just ended nor of a protected one. */
export function isFree({ operation }: Holder, view: View): boolean {
  const { call, result } = operation
  // A result may come some turns after its call.
  const turn = Math.max(call.turn, result?.turn ?? 0)
  return !isRecent(turn, view.turn, view.settings)
}

/** True when the file may still have one of the holder's lines, but nobody knows. */
export function isInDoubt({ lines }: Holder, current: CurrentLines): boolean {
  return lines.ids.some((id) => current.isUncertain(id))
}

/** True when the file has nothing of the holder's lines any more. */
export function isGone(holder: Holder, current: CurrentLines): boolean {
  const hasLine = holder.lines.ids.some((id) => current.has(id) || current.leftOf(id).length > 0)
  return !hasLine && !isInDoubt(holder, current)
}

/** Whatever the file has, or may have, of the lines of the one is shown by the other. */
export function showsAll(shown: Holder, { lines }: Holder, current: CurrentLines): boolean {
  return lines.ids.every((id) => current.isAmong(id, shown.lines))
}

/** Every line is shown by the holder, under the same number. */
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

/** What the first has shown, and what the second took over from others, without what is shown now. */
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
