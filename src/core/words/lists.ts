/** Adds a value to the list that a map keeps for a key. */
export function addToList<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** How many leading elements two lists have in common. */
export function commonLength<Element>(
  one: readonly Element[],
  other: readonly Element[],
  isSame: (a: Element, b: Element) => boolean = Object.is,
): number {
  const most = Math.min(one.length, other.length)
  let common = 0
  while (common < most && isSame(one[common] as Element, other[common] as Element)) common++
  return common
}
