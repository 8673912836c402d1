/** Reads the entries of a map that only grows, each one once. It can pause between entries. */
export class IncrementalReader<Value> {
  readonly #seen: Set<string> = new Set()
  #rest: Iterator<[string, Value]> | undefined

  /** Reads new entries until `isDue`. Returns whether all of them are read. */
  read(
    entries: ReadonlyMap<string, Value>,
    readEntry: (value: Value) => void,
    isDue: () => boolean,
  ): boolean {
    if (this.#seen.size === entries.size) return true
    this.#rest ??= entries.entries()
    for (let next = this.#rest.next(); next.done !== true; next = this.#rest.next()) {
      const [key, value] = next.value
      if (!this.#seen.has(key)) {
        this.#seen.add(key)
        readEntry(value)
      }
      if (isDue()) return false
    }
    this.#rest = undefined
    // A finished iterator returns no entries that are added later, so these need a new one.
    return this.#seen.size >= entries.size || this.read(entries, readEntry, isDue)
  }
}
