import type { MemoryItem } from '../item.ts'
import type { ItemState, MemoryState } from '../state/memory-state.ts'
import { findValues } from '../understand/values.ts'
import { readWords } from '../understand/words.ts'
import { lexiconAttribute, root, storedSlot } from './stored-slot.ts'

interface SlotIndex {
  readonly byWord: Map<string, Set<string>>
  readonly seen: Set<string>
  /** The items that are still to be read. */
  rest: Iterator<ItemState> | undefined
}

const indexes = new WeakMap<MemoryState, SlotIndex>()

/** Names of a series are also indexed without their number, and words of five letters or more by their beginning and their end, to find typing errors. */
function keysOf(word: string): readonly string[] {
  const series = /^\p{L}{2,}(?=[-_]?\d+$)/u.exec(word)?.[0]
  if (series !== undefined) return [word, `${series}#`]
  return word.length < 5 ? [word] : [word, `${word.slice(0, 3)}…`, `…${word.slice(-3)}`]
}

function indexOf(state: MemoryState): SlotIndex {
  const index = indexes.get(state) ?? { byWord: new Map(), seen: new Set(), rest: undefined }
  indexes.set(state, index)
  return index
}

/** Indexes the items of a state until `isDue`. Returns whether all of them are indexed. */
export function indexItems(state: MemoryState, isDue: () => boolean): boolean {
  const index = indexOf(state)
  if (index.seen.size === state.items.size) return true
  index.rest ??= state.items.values()
  for (let next = index.rest.next(); next.done !== true; next = index.rest.next()) {
    addToIndex(index, next.value.item)
    if (isDue()) return false
  }
  index.rest = undefined
  // Items that were added while another iteration was under way are found by a new one.
  return index.seen.size >= state.items.size || indexItems(state, isDue)
}

function addToIndex(index: SlotIndex, item: MemoryItem): void {
  if (index.seen.has(item.id)) return
  index.seen.add(item.id)
  const slot = storedSlot(item)
  const words = [...slot.frame, ...slot.values.flatMap(({ stems }) => stems)]
  const attribute = lexiconAttribute(item, slot)
  for (const key of [
    ...words.flatMap(keysOf),
    ...(attribute === undefined ? [] : [`=${attribute}`]),
  ])
    index.byWord.set(key, (index.byWord.get(key) ?? new Set()).add(item.id))
}

const mostCandidates = 40
const mostWithWord = 400

/** The last ids of a set, which are those of the newest items. */
function newestOf(ids: ReadonlySet<string>): readonly string[] {
  return [...ids].slice(-mostWithWord)
}

/** The items that a sentence may be about: they share a word or a kind of value with it. Those that share most come first, then the newest. */
export function candidateItems(state: MemoryState, sentence: string): readonly ItemState[] {
  indexItems(state, () => false)
  const { byWord } = indexOf(state)
  const { words } = readWords(sentence)
  const keys = new Set([
    ...words.flatMap(({ lower }) => [...keysOf(root(lower)), root(lower.replace(/s$/, ''))]),
    ...findValues(words).flatMap(({ sort }) => (sort === undefined ? [] : [`=${sort}`])),
  ])
  const shared = new Map<string, number>()
  // The rarest words first: a word that thousands of items have adds none when others have found some.
  const lists = [...keys]
    .flatMap((key) => byWord.get(key) ?? [])
    .toSorted((a, b) => a.size - b.size)
  for (const ids of lists) {
    if (ids.size <= mostWithWord) for (const id of ids) shared.set(id, (shared.get(id) ?? 0) + 1)
    else if (shared.size === 0) for (const id of newestOf(ids)) shared.set(id, 1)
    else for (const [id, count] of shared) if (ids.has(id)) shared.set(id, count + 1)
  }
  const least = leastShared([...shared.values()])
  const found: { readonly entry: ItemState; readonly count: number }[] = []
  for (const [id, count] of shared) {
    const entry = count < least ? undefined : state.items.get(id)
    if (entry !== undefined) found.push({ entry, count })
  }
  return found
    .toSorted((a, b) => b.count - a.count || b.entry.place - a.entry.place)
    .slice(0, mostCandidates)
    .map(({ entry }) => entry)
}

/** How much an item must share to be among the candidates; the others need no sorting. */
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
