/**
 * All entries in the order in which they arrived, with their times side by side, so that a look at all of them reads
 * memory in order. Entries to which nothing has happened since are settled: their times say everything.
 */
export class Timeline<Entry> {
  #entries: (Entry | undefined)[] = []
  #times = new Float64Array(64)
  #settled = new Uint8Array(32)

  /** Gives the place of the new entry. */
  add(entry: Entry, recordedAt: number, validFrom: number): number {
    const place = this.#entries.length
    this.#entries.push(entry)
    if (place >= this.#settled.length) this.#grow()
    this.#times[place * 2] = recordedAt
    this.#times[place * 2 + 1] = validFrom
    this.#settled[place] = 1
    return place
  }

  get size(): number {
    return this.#entries.length
  }

  unsettle(place: number): void {
    this.#settled[place] = 0
  }

  remove(place: number): void {
    this.#entries[place] = undefined
  }

  /** Entries recorded by one time and true by another; `holds` is asked about those that are not settled. */
  by(recorded: number, valid: number, holds: (entry: Entry) => boolean): readonly Entry[] {
    const entries = this.#entries
    const times = this.#times
    const settled = this.#settled
    // Its length is known to be enough: growing it step by step takes longer than everything else here.
    const found = new Array<Entry>(entries.length)
    let count = 0
    for (let place = 0; place < entries.length; place++) {
      if (times[place * 2]! > recorded || times[place * 2 + 1]! > valid) continue
      const entry = entries[place]
      if (entry !== undefined && (settled[place] === 1 || holds(entry))) found[count++] = entry
    }
    found.length = count
    return found
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2)
    times.set(this.#times)
    this.#times = times
    const settled = new Uint8Array(this.#settled.length * 2)
    settled.set(this.#settled)
    this.#settled = settled
  }
}
