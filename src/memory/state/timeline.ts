const blockSize = 1_024

/** Consecutive entries. A block whose entries are all settled is included as a whole. */
interface Block<Entry> {
  entries: Entry[]
  /** Places of the entries that were not removed, in order. */
  places: number[]
  latestRecorded: number
  latestValid: number
  /** How many entries have changed since they were added. */
  unsettled: number
}

/**
 * All entries in the order they were added, with their times. Entries that never changed are settled: only their times
 * are compared, where possible for a whole block.
 */
export class Timeline<Entry> {
  readonly #blocks: Block<Entry>[] = []
  #times = new Float64Array(64)
  #settled = new Uint8Array(32)
  #size = 0

  /** Returns the place of the new entry. */
  add(entry: Entry, recordedAt: number, validFrom: number): number {
    const place = this.#size++
    if (place >= this.#settled.length) this.#grow()
    this.#times[place * 2] = recordedAt
    this.#times[place * 2 + 1] = validFrom
    this.#settled[place] = 1
    const block = this.#blocks[Math.floor(place / blockSize)] ?? this.#open()
    block.entries.push(entry)
    block.places.push(place)
    block.latestRecorded = Math.max(block.latestRecorded, recordedAt)
    block.latestValid = Math.max(block.latestValid, validFrom)
    return place
  }

  get size(): number {
    return this.#size
  }

  unsettle(place: number): void {
    if (this.#settled[place] === 0) return
    this.#settled[place] = 0
    this.#blocks[Math.floor(place / blockSize)]!.unsettled++
  }

  remove(place: number): void {
    const block = this.#blocks[Math.floor(place / blockSize)]
    const at = block?.places.indexOf(place) ?? -1
    if (block === undefined || at === -1) return
    block.entries.splice(at, 1)
    block.places.splice(at, 1)
    if (this.#settled[place] === 0) block.unsettled--
  }

  /** Entries recorded by one time and true by another. `holds` decides about those that are not settled. */
  by(recorded: number, valid: number, holds: (entry: Entry) => boolean): readonly Entry[] {
    const found: Entry[][] = []
    for (const block of this.#blocks) {
      const isWhole = block.latestRecorded <= recorded && block.latestValid <= valid
      found.push(
        isWhole && block.unsettled === 0
          ? block.entries
          : this.#within(block, recorded, valid, holds),
      )
    }
    return ([] as Entry[]).concat(...found)
  }

  #within(
    { entries, places }: Block<Entry>,
    recorded: number,
    valid: number,
    holds: (entry: Entry) => boolean,
  ): Entry[] {
    const times = this.#times
    return entries.filter((entry, at) => {
      const place = places[at]!
      if (times[place * 2]! > recorded || times[place * 2 + 1]! > valid) return false
      return this.#settled[place] === 1 || holds(entry)
    })
  }

  #open(): Block<Entry> {
    const block: Block<Entry> = {
      entries: [],
      places: [],
      latestRecorded: Number.NEGATIVE_INFINITY,
      latestValid: Number.NEGATIVE_INFINITY,
      unsettled: 0,
    }
    this.#blocks.push(block)
    return block
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
