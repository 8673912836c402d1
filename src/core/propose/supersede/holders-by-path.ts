import { LedgerCursor } from '../../words/ledger.ts'
import type { View } from '../strategy.ts'
import { type Holder, isHolding } from './file-holder.ts'
import type { LinePlaces } from './line-places.ts'
import type { ShownLines } from './shown-lines.ts'

/** How many of the newest holders of a file are tracked. Older ones stay as they are. */
const mostHolders = 32

/** The holders of each file, in order. */
export interface HoldersByPath {
  has(path: string): boolean
  paths(): Iterable<string>
  /** All that were added, whether or not they still show anything. */
  of(path: string): readonly Holder[]
  /** Those that still show their lines. Drops the others. */
  held(path: string, view: View): readonly Holder[]
  add(path: string, holder: Holder, view: View): void
  keep(path: string, isKept: (holder: Holder) => boolean): void
  /** Changes the lines that a holder shows. */
  setLines(path: string, holder: Holder, lines: ShownLines): void
  drop(path: string): void
}

/** `places` is kept up to date with the lines that they show. */
export function createHoldersByPath(places: LinePlaces): HoldersByPath {
  const byPath = new Map<string, Holder[]>()
  /** The path of every item that was ever a holder. */
  const pathAt = new Map<number, string>()
  /** Files with new decisions since the last call of `held`. */
  const changed = new Set<string>()
  const cursor = new LedgerCursor()
  let orders = 0

  /** Only files with a new decision about one of their items can have holders that stopped showing. */
  function follow({ decisions }: View): void {
    for (const entry of cursor.take(decisions)) {
      if (entry.kind !== 'decision' && entry.kind !== 'revert') continue
      const path = pathAt.get(entry.item)
      if (path !== undefined) changed.add(path)
    }
  }

  function keep(path: string, isKept: (holder: Holder) => boolean): void {
    const holders = byPath.get(path) ?? []
    const kept: Holder[] = []
    for (const holder of holders) {
      if (isKept(holder)) kept.push(holder)
      else places.remove(holder)
    }
    byPath.set(path, kept)
    if (kept.length < holders.length) for (const holder of kept) places.add(holder)
  }

  return {
    has: (path) => byPath.has(path),
    paths: () => byPath.keys(),
    of: (path) => byPath.get(path) ?? [],
    held(path, view) {
      follow(view)
      const holders = byPath.get(path)
      if (holders !== undefined && !changed.has(path)) return holders
      changed.delete(path)
      keep(path, (holder) => isHolding(holder, view))
      return byPath.get(path) ?? []
    },
    add(path, holder, view) {
      const holders = byPath.get(path) ?? []
      byPath.set(path, holders)
      holders.push(holder)
      // Decisions that were made before count only by the check that follows.
      follow(view)
      if (!isHolding(holder, view)) changed.add(path)
      pathAt.set(holder.item.index, path)
      holder.order = ++orders
      places.add(holder)
      if (holders.length <= mostHolders) return
      const oldest = holders.shift()
      if (oldest !== undefined) places.forget(oldest)
    },
    keep,
    setLines(path, holder, lines) {
      places.remove(holder)
      holder.lines = lines
      for (const each of byPath.get(path) ?? []) places.add(each)
    },
    drop(path) {
      for (const holder of byPath.get(path) ?? []) places.remove(holder)
      byPath.delete(path)
    },
  }
}
