import type { ItemState, MemoryState } from '../state/memory-state.ts'
import { findValues } from '../understand/values.ts'
import { readWords } from '../understand/words.ts'
import { IncrementalReader } from './incremental-reader.ts'
import { lexiconAttribute, readSlot, root, type StoredSlot } from './stored-slot.ts'

/** An item that a sentence may be about, and what the item says. */
export interface Candidate {
  readonly entry: ItemState
  readonly slot: StoredSlot
}

interface SlotIndex {
  /** The ids of the items with a word or a kind of value. */
  readonly byWord: Map<string, Set<string>>
  readonly slots: Map<string, StoredSlot>
  readonly reader: IncrementalReader<ItemState>
}

/** Reading all items again for every sentence would be slow in a large memory. */
const indexes = new WeakMap<MemoryState, SlotIndex>()

function indexOf(state: MemoryState): SlotIndex {
  const index = indexes.get(state) ?? {
    byWord: new Map(),
    slots: new Map(),
    reader: new IncrementalReader(),
  }
  indexes.set(state, index)
  return index
}

/** Indexes the items of a state until `isDue`. Returns whether all of them are indexed. */
export function indexItems(state: MemoryState, isDue: () => boolean): boolean {
  const index = indexOf(state)
  return index.reader.read(state.items, (entry) => addToIndex(index, entry), isDue)
}

function addToIndex({ byWord, slots }: SlotIndex, { item }: ItemState): void {
  const slot = readSlot(item)
  slots.set(item.id, slot)
  const words = [...slot.frame, ...slot.values.flatMap(({ stems }) => stems)]
  const attribute = lexiconAttribute(item, slot)
  for (const key of [
    ...words.flatMap(keysOf),
    ...(attribute === undefined ? [] : [`=${attribute}`]),
  ])
    byWord.set(key, (byWord.get(key) ?? new Set()).add(item.id))
}

/**
 * The keys under which a word is indexed. The name of a series is also found without its number. A word of five letters or
 * more is also found by its beginning and by its end, because of typing errors.
 */
function keysOf(word: string): readonly string[] {
  const series = /^\p{L}{2,}(?=[-_]?\d+$)/u.exec(word)?.[0]
  if (series !== undefined) return [word, `${series}#`]
  return word.length < 5 ? [word] : [word, `${word.slice(0, 3)}…`, `…${word.slice(-3)}`]
}

const mostCandidates = 40
const mostWithWord = 400

/** The last ids of a set, which are those of the newest items. */
function newestOf(ids: ReadonlySet<string>): readonly string[] {
  return [...ids].slice(-mostWithWord)
}

/**
 * The items that a sentence may be about, because they share a word or a kind of value with it. Those that share most come
 * first, then the newest.
 */
export function findCandidates(state: MemoryState, sentence: string): readonly Candidate[] {
  indexItems(state, () => false)
  const { byWord, slots } = indexOf(state)
  const { words } = readWords(sentence)
  const keys = new Set([
    ...words.flatMap(({ lower }) => [...keysOf(root(lower)), root(lower.replace(/s$/, ''))]),
    ...findValues(words).flatMap(({ sort }) => (sort === undefined ? [] : [`=${sort}`])),
  ])
  const shared = new Map<string, number>()
  // The rarest words come first. A very common word adds items only when no rarer word has found any.
  const lists = [...keys]
    .flatMap((key) => byWord.get(key) ?? [])
    .toSorted((a, b) => a.size - b.size)
  for (const ids of lists) {
    if (ids.size <= mostWithWord) for (const id of ids) shared.set(id, (shared.get(id) ?? 0) + 1)
    else if (shared.size === 0) for (const id of newestOf(ids)) shared.set(id, 1)
    else for (const [id, count] of shared) if (ids.has(id)) shared.set(id, count + 1)
  }
  const least = leastShared([...shared.values()])
  const found: (Candidate & { readonly count: number })[] = []
  for (const [id, count] of shared) {
    const entry = count < least ? undefined : state.items.get(id)
    if (entry !== undefined) found.push({ entry, slot: slots.get(id)!, count })
  }
  return found
    .toSorted((a, b) => b.count - a.count || b.entry.place - a.entry.place)
    .slice(0, mostCandidates)
}

/** The number of shared words that an item needs to be a candidate. Items with fewer need no sorting. */
function leastShared(counts: readonly number[]): number {
  const having: number[] = []
  for (const count of counts) having[count] = (having[count] ?? 0) + 1
  let enough = 0
  for (let count = having.length - 1; count > 0; count--) {
    enough += having[count] ?? 0
    if (enough >= mostCandidates) return count
  }
  return 1
}
