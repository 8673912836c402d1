import { addToList } from '../../words/lists.ts'

/** What an item of the record shows of a file: a read's result, or the input of a write or an edit. */
export interface Excerpt {
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

export interface Excerpts {
  add(excerpt: Excerpt): void
  of(item: number): readonly Excerpt[]
  /** The newest item that shows a line. */
  newest(id: number): number | null
}

export function createExcerpts(): Excerpts {
  const byItem = new Map<number, Excerpt[]>()
  /** The newest item by line. */
  const newest = new Map<number, number>()
  /** Excerpts that are not in `newest` yet; they are added on the first lookup, which few sessions need. */
  let added: Excerpt[] = []

  function addToNewest({ item, ids }: Excerpt): void {
    for (const id of ids) {
      if (id !== null) newest.set(id, Math.max(item, newest.get(id) ?? item))
    }
  }

  return {
    add(excerpt) {
      addToList(byItem, excerpt.item, excerpt)
      added.push(excerpt)
    },
    of: (item) => byItem.get(item) ?? [],
    newest(id) {
      added.forEach(addToNewest)
      added = []
      return newest.get(id) ?? null
    },
  }
}
