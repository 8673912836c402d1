import type { Item } from '../record/item.ts'
import type { Settings } from '../settings.ts'
import type { Scene } from '../strategy.ts'
import type { Showing } from '../track/files/index.ts'
import type { Operation } from '../track/operation.ts'
import type { CurrentLines } from './current-lines.ts'

/** A line as an item shows it. */
export interface ShownLine {
  /** The number that the item gives it; null in the input of a change. */
  readonly number: number | null
  /** Index of the item that first brought it into the page. */
  readonly item: number
}

/** An item that shows lines of one file, and is still in the page. */
export interface Holder {
  readonly operation: Operation
  readonly kind: 'read' | 'change'
  /** The item that shows them: a read's result, a change's input. */
  readonly item: Item
  /** The lines that it shows, as it is shown now, by identity. */
  lines: ReadonlyMap<number, ShownLine>
  /** Lines that it or what it replaced has shown, and that had left the file by then: an undo brings them back. */
  former: ReadonlyMap<number, ShownLine>
  /** How many characters fewer it and what it replaced take than they did. */
  saved: number
}

/** null when a line of it is not shown whole, or stands there twice, so that nothing can stand for it. */
export function holderOf(
  operation: Operation,
  kind: Holder['kind'],
  item: Item,
  { ids, first }: Showing,
): Holder | null {
  const lines = new Map<number, ShownLine>()
  for (const [index, id] of ids.entries()) {
    if (id === null) return null
    const number = kind === 'change' || first === null ? null : first + index
    lines.set(id, { number, item: item.index })
  }
  if (lines.size < ids.length) return null
  return { operation, kind, item, lines, former: new Map(), saved: 0 }
}

/** True while the item shows its lines: as it came, or as a view of ours. */
export function isHolding({ item }: Holder, scene: Scene): boolean {
  if (!scene.isVisible(item) || scene.ledger.isReverted(item.index)) return false
  const standing = scene.ledger.of(item.index)
  return standing === undefined || standing.rendition.how === 'view'
}

/** Old enough to be touched: neither of the turn that has just ended nor of a protected one. */
export function isFree({ operation }: Holder, scene: Scene, settings: Settings): boolean {
  const { call, result } = operation
  // A result may come some turns after its call.
  const turn = Math.max(call.turn, result?.turn ?? 0)
  return turn + Math.max(1, settings.turnProtection) < scene.turn
}

/** True when the file may still have one of the holder's lines, but nobody knows. */
export function isInDoubt({ lines }: Holder, current: CurrentLines): boolean {
  for (const [id, { item }] of lines) if (current.isUncertain(id, item)) return true
  return false
}

/** True when the file has none of the holder's lines any more. */
export function isGone(holder: Holder, current: CurrentLines): boolean {
  for (const id of holder.lines.keys()) if (current.has(id)) return false
  return !isInDoubt(holder, current)
}

/** Every line of the one that the file has, or may have, is shown by the other. */
export function showsAll(shown: Holder, holder: Holder, current: CurrentLines): boolean {
  for (const [id, { item }] of holder.lines) {
    if (shown.lines.has(id)) continue
    if (current.has(id) || current.isUncertain(id, item)) return false
  }
  return true
}

/** Every line is shown by the holder, under the same number. */
export function showsSame({ lines }: Holder, wanted: Holder): boolean {
  for (const [id, { number }] of wanted.lines) {
    const shown = lines.get(id)
    if (shown === undefined || shown.number !== number) return false
  }
  return true
}

export function shownLength({ item }: Holder, scene: Scene): number {
  return scene.ledger.of(item.index)?.rendition.text?.length ?? item.text.length
}

/** What the first has shown, and what the second took over from others, without what is shown now. */
export function formerLines(
  holders: readonly Holder[],
  shownNow: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, ShownLine> {
  const former = new Map<number, ShownLine>()
  for (const holder of holders) {
    for (const [id, line] of [...holder.former, ...holder.lines]) {
      if (!shownNow.has(id)) former.set(id, line)
    }
  }
  return former
}
