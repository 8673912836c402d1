import type { Holder } from './file-holder.ts'

/** Where the lines of a read stand in other items of the page. */
export interface LinePlaces {
  /**
   * Looks for lines in holders of earlier turns that show whole texts, from the newest back, and says how many stand in
   * none of them.
   */
  find(read: Holder, holders: readonly Holder[]): number
  /** The index of the newest holder that shows the line at a position of the read; -1 when there is none. */
  holderAt(position: number): number
  /** The line's position in that holder. */
  positionAt(position: number): number
}

/** So large a count is begun anew. */
const mostCounted = 2 ** 30

/**
 * There is a read for each few requests of a session, so that lines are looked up in lists that are made once, and hold
 * what was found until the next search. Identities are counted up from 0: each has its place in `positions`, and what an
 * earlier read left there is below `base`.
 */
export function createLinePlaces(): LinePlaces {
  let positions = new Int32Array(256)
  let owners = new Int32Array(128)
  let theirs = new Int32Array(128)
  let base = 1

  function place(ids: readonly number[]): void {
    if (base > mostCounted) {
      positions.fill(0)
      base = 1
    }
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number
      if (id >= positions.length) positions = grown(positions, id + 1)
      positions[id] = base + at
    }
    if (ids.length > owners.length) {
      owners = grown(owners, ids.length)
      theirs = grown(theirs, ids.length)
    }
    owners.fill(-1, 0, ids.length)
  }

  return {
    find({ lines: { ids }, operation: { turn } }, holders) {
      place(ids)
      let missing = ids.length
      for (let at = holders.length - 1; at >= 0 && missing > 0; at--) {
        const { kind, operation, lines } = holders[at] as Holder
        // What an edit put in is part of what a later read shows anew.
        if (operation.turn >= turn || (kind !== 'read' && operation.action.kind !== 'write'))
          continue
        const shown = lines.ids
        for (let there = shown.length - 1; there >= 0; there--) {
          const position = (positions[shown[there] as number] ?? 0) - base
          if (position < 0 || owners[position] !== -1) continue
          owners[position] = at
          theirs[position] = there
          missing--
        }
      }
      base += ids.length
      return missing
    },
    holderAt: (position) => owners[position] as number,
    positionAt: (position) => theirs[position] as number,
  }
}

function grown(list: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(2 * list.length, least))
  larger.set(list)
  return larger
}
