import { partitionPoint } from '../words/partition-point.ts'
/**
 * How large each item of a history is as it came and as it is shown, in the order of the history. Sizes are in
 * characters: prices are compared with each other, so that the unit does not matter, and counting them costs nothing.
 */
export interface Page {
  /** How many items there are. */
  readonly length: number
  /** Puts an item at the end, shown in full. */
  push(item: number, size: number): void
  /** The item is shown in another size from now on. */
  show(item: number, size: number): void
  /** The place of an item in the history, from 0; undefined when it is not there. */
  placeOf(item: number): number | undefined
  shownSize(place: number): number
  /** The size of all that stands before a place, as it is shown. */
  shownBefore(place: number): number
  /** The same, as it came. */
  originalBefore(place: number): number
}

export function createPage(): Page {
  /** Along one history, items stand in the order in which they were recorded. */
  const items: number[] = []
  const shown: number[] = []
  /** Sums of the sizes before each place; those of `shown` hold up to `settled`. */
  const shownSums: number[] = [0]
  const originalSums: number[] = [0]
  let settled = 0

  function placeOf(item: number): number | undefined {
    const place = partitionPoint(items.length, (index) => items[index]! < item)
    return items[place] === item ? place : undefined
  }

  const page: Page & { length: number } = {
    length: 0,
    push(item, size) {
      items.push(item)
      originalSums.push((originalSums[shown.length] as number) + size)
      page.length = shown.push(size)
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
  return page
}
