import type { Item } from '../../words/item.ts'
import type { View } from '../strategy.ts'

/** True for an item that is shown in full, not only for some protected turns more, and may be decided about. */
export function isOpen(item: Item, view: View): boolean {
  return (
    item.opaque !== true &&
    view.decisions.of(item.index) === undefined &&
    view.awaited(item) === undefined &&
    !view.decisions.isReverted(item.index) &&
    view.isVisible(item)
  )
}
