import { partitionPoint } from '../words/partition-point.ts'

/**
 * The original and the shown size of each item of a history, in order. Sizes are in characters, because only ratios
 * matter and characters are free to count.
 */
export interface ItemSizes {
  /** How many items there are. */
  readonly length: number
  /** Appends an item, shown in full. */
  push(item: number, size: number): void
  /** Sets the shown size of an item. */
  show(item: number, size: number): void
  /** The position of an item in the history, from 0; undefined when it is not in it. */
  placeOf(item: number): number | undefined
  shownSize(place: number): number
  /** The total shown size of the items before a position. */
  shownBefore(place: number): number
  /** The total original size of the items before a position. */
  originalBefore(place: number): number
}

export function createItemSizes(): ItemSizes {
  /** Ascending, because a history has items in the order in which they were recorded. */
  const items: number[] = []
  const shown: number[] = []
  /** Prefix sums; `shownSums` is up to date up to index `settled`. */
  const shownSums: number[] = [0]
  const originalSums: number[] = [0]
  let settled = 0

  function placeOf(item: number): number | undefined {
    const place = partitionPoint(items.length, (index) => items[index]! < item)
    return items[place] === item ? place : undefined
  }

  const sizes: ItemSizes & { length: number } = {
    length: 0,
    push(item, size) {
      items.push(item)
      originalSums.push((originalSums[shown.length] as number) + size)
      sizes.length = shown.push(size)
    },
    show(item, size) {
      const place = placeOf(item)
      if (place === undefined) return
      shown[place] = size
      settled = Math.min(settled, place)
    },
    placeOf,
    shownSize: (place) => shown[place] ?? 0,
    shownBefore(place) {
      const end = Math.min(place, shown.length)
      for (; settled < end; settled++) {
        shownSums[settled + 1] = (shownSums[settled] as number) + (shown[settled] as number)
      }
      return shownSums[end] as number
    },
    originalBefore: (place) => originalSums[Math.min(place, shown.length)] as number,
  }
  return sizes
}
