/** What an item of the record shows of a file: a read's result, or the input of a write or an edit. */
export interface Showing {
  /** Index of the item that shows it. */
  readonly item: number
  readonly path: string
  /** The version of the file that it shows, as `FileState` counts. */
  readonly version: number
  /** Number of the first line, from 1, when the lines follow each other; null for the scattered lines of an edit. */
  readonly first: number | null
  /** The identities of the lines, in order; null where a line's text is not shown whole. */
  readonly ids: readonly (number | null)[]
}

/** `current`: the file has this line now. `uncertain`: it may. `stale`: it was changed or removed. */
export type LineFate = 'current' | 'uncertain' | 'stale'

export interface CoveredLine {
  readonly id: number | null
  readonly fate: LineFate
  /** The newest later item that shows the same line, or null. */
  readonly shownAgain: number | null
}

/** What became of the lines that an item shows. */
export interface Coverage {
  readonly path: string
  readonly first: number | null
  readonly lines: readonly CoveredLine[]
}

export interface Showings {
  add(showing: Showing): void
  of(item: number): readonly Showing[]
  /** The newest item that shows a line. */
  newest(id: number): number | null
}

const nothing: readonly Showing[] = []

export function createShowings(): Showings {
  const byItem = new Map<number, Showing[]>()
  /** By line: identities are counted up from 0. */
  const newest: number[] = []
  /** Those whose lines are not in `newest` yet: few sessions ever ask for it. */
  let added: Showing[] = []

  function settle({ item, ids }: Showing): void {
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number | null
      if (id === null) continue
      // One by one, so that the list has no holes.
      while (newest.length <= id) newest.push(-1)
      newest[id] = Math.max(item, newest[id] as number)
    }
  }

  return {
    add(showing) {
      const known = byItem.get(showing.item)
      if (known === undefined) byItem.set(showing.item, [showing])
      else known.push(showing)
      added.push(showing)
    },
    of: (item) => byItem.get(item) ?? nothing,
    newest(id) {
      added.forEach(settle)
      added = []
      const item = newest[id] ?? -1
      return item === -1 ? null : item
    },
  }
}
