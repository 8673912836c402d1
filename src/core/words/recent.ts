/** Sets an entry as the one used last. Removes those used longest ago, so that `most` stay, and returns what was removed. */
export function setRecent<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): readonly Value[] {
  map.delete(key)
  map.set(key, value)
  const removed: Value[] = []
  for (const [oldest, old] of map) {
    if (map.size <= most) break
    map.delete(oldest)
    removed.push(old)
  }
  return removed
}
