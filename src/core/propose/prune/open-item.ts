import type { Item } from '../../words/item.ts'
import type { Scene } from '../strategy.ts'

/** True for an item that is shown in full, not only for some protected turns more, and may be decided about. */
export function isOpen(item: Item, scene: Scene): boolean {
  return (
    item.opaque !== true &&
    scene.ledger.of(item.index) === undefined &&
    scene.awaited(item) === undefined &&
    !scene.ledger.isReverted(item.index) &&
    scene.isVisible(item)
  )
}
