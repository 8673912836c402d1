import { LedgerCursor } from '../../words/ledger.ts'
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
  /** By item, for all that ever were holders. */
  const pathAt = new Map<number, string>()
  /** Files of which something was decided since it was last asked what shows them. */
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
      const holders = byPath.get(path)
      if (holders === undefined) byPath.set(path, [holder])
      else holders.push(holder)
      // What was decided about it so far is looked at here.
      follow(view)
      if (!isHolding(holder, view)) changed.add(path)
      pathAt.set(holder.item.index, path)
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
