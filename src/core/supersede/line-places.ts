import type { Holder } from './file-holder.ts'

/** Where the lines of a read stand in other items of the page. */
export interface LinePlaces {
  /** Its lines are shown by it from now on: it is newer than all that were added before. */
  add(holder: Holder): void
  /** Its lines are no longer shown by it; those that others show as well are to be added again. */
  remove(holder: Holder): void
  /**
   * Looks for lines in those of the holders that are of earlier turns and show whole texts, and says how many stand in
   * none of them. What was found holds until the next search.
   */
  find(read: Holder, holders: readonly Holder[]): number
  /** The index of the newest holder that shows the line at a position of the read; -1 when there is none. */
  holderAt(position: number): number
  /** The smallest such index of so many lines. */
  oldestHolder(lines: number): number
  /** The line's position in that holder. */
  positionAt(position: number): number
}

/**
 * There is a read for each few requests of a session, so that the newest place of each line is kept. Identities of lines
 * are counted up from 0, and so are holders from 1: lists of numbers are all that it takes.
 */
export function createLinePlaces(): LinePlaces {
  /** By line: the order of the newest holder, 0 when there is none, and the line's position there. */
  let owners = new Int32Array(256)
  let places = new Int32Array(256)
  /** What was found, by position in the read. */
  let found = new Int32Array(128)
  let theirs = new Int32Array(128)

  function findKept(ids: readonly number[], turn: number, holders: readonly Holder[]): number {
    let missing = 0
    let order = 0
    let index = -1
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number
      const owner = owners[id] ?? 0
      if (owner !== order) {
        order = owner
        index = indexOf(order, holders)
        if (index !== -1 && (holders[index] as Holder).operation.turn >= turn) return -1
      }
      found[at] = index
      theirs[at] = places[id] ?? 0
      if (index === -1) missing++
    }
    return missing
  }

  /** From the newest holder back, leaving out those of the same turn. */
  function search(ids: readonly number[], turn: number, holders: readonly Holder[]): number {
    const positions = new Map(ids.map((id, at) => [id, at]))
    let missing = ids.length
    found.fill(-1, 0, ids.length)
    for (let at = holders.length - 1; at >= 0 && missing > 0; at--) {
      const holder = holders[at] as Holder
      if (holder.operation.turn >= turn || !showsWholeText(holder)) continue
      for (let there = holder.lines.ids.length - 1; there >= 0; there--) {
        const position = positions.get(holder.lines.ids[there] as number)
        if (position === undefined || found[position] !== -1) continue
        found[position] = at
        theirs[position] = there
        missing--
      }
    }
    return missing
  }

  return {
    add(holder) {
      if (!showsWholeText(holder)) return
      const { order, lines } = holder
      for (let at = 0; at < lines.ids.length; at++) {
        const id = lines.ids[at] as number
        if (id >= owners.length) {
          owners = grown(owners, id + 1)
          places = grown(places, id + 1)
        }
        owners[id] = order
        places[id] = at
      }
    },
    remove({ order, lines }) {
      for (const id of lines.ids) if (owners[id] === order) owners[id] = 0
    },
    find({ lines: { ids }, operation: { turn } }, holders) {
      if (ids.length > found.length) {
        found = grown(found, ids.length)
        theirs = grown(theirs, ids.length)
      }
      const missing = findKept(ids, turn, holders)
      return missing === -1 ? search(ids, turn, holders) : missing
    },
    holderAt: (position) => found[position] as number,
    oldestHolder(lines) {
      let oldest = found[0] as number
      for (let at = 1; at < lines; at++) oldest = Math.min(oldest, found[at] as number)
      return oldest
    },
    positionAt: (position) => theirs[position] as number,
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

function grown(list: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(2 * list.length, least))
  larger.set(list)
  return larger
}
