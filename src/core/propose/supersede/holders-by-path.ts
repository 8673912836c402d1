import type { View } from '../strategy.ts'
import { type Holder, isHolding } from './file-holder.ts'
import type { LinePlaces } from './line-places.ts'
import type { ShownLines } from './shown-lines.ts'

/** Of a file that is looked at in ever new places, the oldest of them are left as they are. */
const mostHolders = 32

/** What shows lines of which file, in order. */
export interface HoldersByPath {
  has(path: string): boolean
  paths(): Iterable<string>
  /** All that were added, whether or not they still show anything. */
  of(path: string): readonly Holder[]
  /** Those that still show their lines; the others are dropped. */
  held(path: string, view: View): readonly Holder[]
  add(path: string, holder: Holder, view: View): void
  keep(path: string, isKept: (holder: Holder) => boolean): void
  /** Other lines are shown by one of them from now on. */
  showAnew(path: string, holder: Holder, lines: ShownLines): void
  letGo(path: string): void
}

/** `places` follows which lines they show. */
export function createHoldersByPath(places: LinePlaces): HoldersByPath {
  const byPath = new Map<string, Holder[]>()
  /**
   * By item, for all that ever were holders: when something is decided about one that is none any more, its file is looked
   * at once more, and that is all.
   */
  const pathAt: (string | null)[] = []
  /** True for files of which something was decided since it was last asked what shows them. */
  const changed = new Map<string, boolean>()
  let entriesSeen = 0
  let orders = 0

  /** Each read asks, and a file has up to 32 holders: only those that the ledger names can have stopped showing. */
  function follow({ decisions: { entries } }: View): void {
    for (; entriesSeen < entries.length; entriesSeen++) {
      const entry = entries[entriesSeen]
      if (entry?.kind !== 'decision' && entry?.kind !== 'revert') continue
      const path = pathAt[entry.item] ?? null
      if (path !== null) changed.set(path, true)
    }
  }

  function placeUnder({ item: { index } }: Holder, path: string): void {
    // One by one, so that the list has no holes.
    while (pathAt.length <= index) pathAt.push(null)
    pathAt[index] = path
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
      if (holders !== undefined && changed.get(path) !== true) return holders
      changed.set(path, false)
      keep(path, (holder) => isHolding(holder, view))
      return byPath.get(path) ?? []
    },
    add(path, holder, view) {
      const holders = byPath.get(path)
      if (holders === undefined) byPath.set(path, [holder])
      else holders.push(holder)
      // What was decided about it so far is looked at here.
      follow(view)
      if (!isHolding(holder, view)) changed.set(path, true)
      placeUnder(holder, path)
      holder.order = ++orders
      places.add(holder)
      if (holders === undefined || holders.length <= mostHolders) return
      const oldest = holders.shift()
      if (oldest !== undefined) places.forget(oldest)
    },
    keep,
    showAnew(path, holder, lines) {
      places.remove(holder)
      holder.lines = lines
      for (const each of byPath.get(path) ?? []) places.add(each)
    },
    letGo(path) {
      for (const holder of byPath.get(path) ?? []) places.remove(holder)
      byPath.delete(path)
    },
  }
}
