/**
 * The first of the indexes 0 to `length` at which `isBefore` no longer holds, by binary search: it must hold for a
 * leading stretch and for nothing after it. It also gets the lowest index still in question, before which it is known
 * to hold.
 */
export function partitionPoint(
  length: number,
  isBefore: (index: number, low: number) => boolean,
): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle, low)) low = middle + 1
    else high = middle
  }
  return low
}
