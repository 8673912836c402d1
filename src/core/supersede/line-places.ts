import type { Holder } from './file-holder.ts'

/** Where the lines of a read stand in other items of the page. */
export interface LinePlaces {
  /** Its lines are shown by it from now on: it is newer than all that were added before. */
  add(holder: Holder): void
  /** Its lines are no longer shown by it; those that others show as well are to be added again. */
  remove(holder: Holder): void
  /** It is no longer looked for, and its lines are not looked for in others that showed them before it. */
  forget(holder: Holder): void
  /**
   * Looks for lines in those of its file's holders that are of earlier turns and show whole texts, and says how many
   * stand in none of them. What was found holds until the next search.
   */
  find(read: Holder, holders: readonly Holder[]): number
  /** What was found: stretches of the read, of lines that follow each other in one holder or stand in none. */
  stretchCount(): number
  /** The position in the read at which a stretch begins; for one behind the last, the number of lines. */
  startOf(stretch: number): number
  /** The newest holder that shows its lines; null when there is none. */
  holderOf(stretch: number): Holder | null
  /** The position of its first line in that holder. */
  positionOf(stretch: number): number
  /** The index of the oldest holder in which a line was found; -1 when one was found in none. */
  oldestHolder(holders: readonly Holder[]): number
}

/**
 * There is a read for each few requests of a session, so that the newest place of each line is kept. Identities of lines
 * are counted up from 0, and so are holders from 1: lists of numbers are all that it takes.
 */
export function createLinePlaces(): LinePlaces {
  /** By line: the order of the newest holder, 0 when there is none, and the line's position there. */
  const owners: number[] = []
  const places: number[] = []
  /** By their order, without those that are no longer followed. */
  const followed: (Holder | null)[] = [null]
  /** What was found, by stretch. */
  const starts: number[] = []
  const found: (Holder | null)[] = []
  const theirs: number[] = []
  let stretches = 0

  function findKept({ path, lines: { ids }, operation: { turn } }: Holder): number {
    const known = owners.length
    let missing = 0
    let order = -1
    let holder: Holder | null = null
    let next = -1
    stretches = 0
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number
      const owner = id < known ? (owners[id] as number) : 0
      const place = id < known ? (places[id] as number) : 0
      if (owner !== order) {
        order = owner
        holder = followed[order] as Holder | null
        // A copy has lines of the file that it was made of.
        if (holder !== null && holder.path !== path) holder = null
        if (holder !== null && holder.operation.turn >= turn) return -1
        begin(at, holder, place)
      } else if (place !== next && holder !== null) begin(at, holder, place)
      next = place + 1
      if (holder === null) missing++
    }
    starts[stretches] = ids.length
    return missing
  }

  function begin(start: number, holder: Holder | null, place: number): void {
    starts[stretches] = start
    found[stretches] = holder
    theirs[stretches++] = place
  }

  /** From the newest holder back, leaving out those of the same turn. */
  function search(read: Holder, holders: readonly Holder[]): number {
    const { ids } = read.lines
    const positions = new Map(ids.map((id, at) => [id, at]))
    let missing = ids.length
    stretches = 0
    while (stretches < ids.length) begin(stretches, null, 0)
    starts[stretches] = ids.length
    for (let at = holders.length - 1; at >= 0 && missing > 0; at--) {
      const holder = holders[at] as Holder
      if (holder.operation.turn >= read.operation.turn || !showsWholeText(holder)) continue
      for (let there = holder.lines.ids.length - 1; there >= 0; there--) {
        const position = positions.get(holder.lines.ids[there] as number)
        if (position === undefined || found[position] !== null) continue
        found[position] = holder
        theirs[position] = there
        missing--
      }
    }
    return missing
  }

  return {
    add(holder) {
      const { order, lines } = holder
      // One by one, so that the list has no holes.
      while (followed.length <= order) followed.push(null)
      followed[order] = holder
      if (!showsWholeText(holder)) return
      for (let at = 0; at < lines.ids.length; at++) {
        const id = lines.ids[at] as number
        while (owners.length <= id) {
          owners.push(0)
          places.push(0)
        }
        owners[id] = order
        places[id] = at
      }
    },
    remove({ order, lines }) {
      followed[order] = null
      for (const id of lines.ids) if (owners[id] === order) owners[id] = 0
    },
    forget({ order }) {
      followed[order] = null
    },
    find(read, holders) {
      const missing = findKept(read)
      return missing === -1 ? search(read, holders) : missing
    },
    stretchCount: () => stretches,
    startOf: (stretch) => starts[stretch] as number,
    holderOf: (stretch) => found[stretch] as Holder | null,
    positionOf: (stretch) => theirs[stretch] as number,
    oldestHolder(holders) {
      let oldest = Infinity
      for (let at = 0; at < stretches; at++) oldest = Math.min(oldest, found[at]?.order ?? 0)
      return indexOf(oldest, holders)
    },
  }
}

/** What an edit put in is part of what a later read shows anew. */
function showsWholeText({ kind, operation }: Holder): boolean {
  return kind === 'read' || operation.action.kind === 'write'
}

/** Holders stand in their order. */
function indexOf(order: number, holders: readonly Holder[]): number {
  let low = 0
  let high = holders.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const own = (holders[middle] as Holder).order
    if (own === order) return middle
    if (own < order) low = middle + 1
    else high = middle - 1
  }
  return -1
}
