import { LedgerCursor } from '../../words/ledger.ts'
import { addToList } from '../../words/lists.ts'
import type { View } from '../strategy.ts'
import { type Holder, isHolding } from './file-holder.ts'
import type { LinePlaces } from './line-places.ts'
import type { ShownLines } from './shown-lines.ts'

/** How many of the newest holders of a file are tracked. Older ones stay as they are. */
const mostHolders = 32

/** The holders of each file, in order. Keeps `places` up to date with the lines that they show. */
export class HoldersByPath {
  readonly #places: LinePlaces
  readonly #byPath = new Map<string, Holder[]>()
  /** The path of every item that was ever a holder. */
  readonly #pathAt = new Map<number, string>()
  /** Files with new decisions since the last call of `held`. */
  readonly #changed = new Set<string>()
  readonly #cursor = new LedgerCursor()
  #orders = 0

  constructor(places: LinePlaces) {
    this.#places = places
  }

  has(path: string): boolean {
    return this.#byPath.has(path)
  }

  paths(): Iterable<string> {
    return this.#byPath.keys()
  }

  /** All that were added, whether or not they still show anything. */
  of(path: string): readonly Holder[] {
    return this.#byPath.get(path) ?? []
  }

  /** Those that still show their lines. Drops the others. */
  held(path: string, view: View): readonly Holder[] {
    this.#follow(view)
    const isChanged = this.#changed.delete(path)
    if (isChanged || !this.has(path)) this.keep(path, (holder) => isHolding(holder, view))
    return this.of(path)
  }

  add(path: string, holder: Holder, view: View): void {
    addToList(this.#byPath, path, holder)
    // Decisions that were made before count only by the check that follows.
    this.#follow(view)
    if (!isHolding(holder, view)) this.#changed.add(path)
    this.#pathAt.set(holder.item.index, path)
    holder.order = ++this.#orders
    this.#places.add(holder)
    const holders = this.#byPath.get(path) ?? []
    const oldest = holders.length > mostHolders ? holders.shift() : undefined
    if (oldest !== undefined) this.#places.forget(oldest)
  }

  keep(path: string, isKept: (holder: Holder) => boolean): void {
    const holders = this.of(path)
    const kept = holders.filter(isKept)
    this.#byPath.set(path, kept)
    if (kept.length === holders.length) return
    for (const holder of holders) if (!kept.includes(holder)) this.#places.remove(holder)
    for (const holder of kept) this.#places.add(holder)
  }

  /** Changes the lines that a holder shows. */
  setLines(path: string, holder: Holder, lines: ShownLines): void {
    this.#places.remove(holder)
    holder.lines = lines
    for (const each of this.of(path)) this.#places.add(each)
  }

  drop(path: string): void {
    for (const holder of this.of(path)) this.#places.remove(holder)
    this.#byPath.delete(path)
  }

  /** Only files with a new decision about one of their items can have holders that stopped showing. */
  #follow({ decisions }: View): void {
    for (const entry of this.#cursor.take(decisions)) {
      if (entry.kind !== 'decision' && entry.kind !== 'revert') continue
      const path = this.#pathAt.get(entry.item)
      if (path !== undefined) this.#changed.add(path)
    }
  }
}
