/**
 * Binary search for the first index from 0 to `length` for which `isBefore` is false. `isBefore` must be true up to some
 * index and false from there on. It also gets `low`, the lower bound so far, below which all are known to be true.
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
