import type { Item } from '../../words/item.ts'
import type { View } from '../strategy.ts'

/** True for an item that is shown in full, has no pending proposal, and may be changed. */
export function isUntouched(item: Item, view: View): boolean {
  return (
    item.opaque !== true &&
    view.decisions.of(item.index) === undefined &&
    view.awaited(item) === undefined &&
    !view.decisions.isReverted(item.index) &&
    view.isVisible(item)
  )
}
