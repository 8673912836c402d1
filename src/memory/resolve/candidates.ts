import type { ItemSource, MemoryItem } from '../item.ts'
import type { HeardMessage } from '../state/event.ts'
import type { ItemState, MemoryState } from '../state/memory-state.ts'
import { findValues } from '../understand/values.ts'
import { readWords } from '../understand/words.ts'
import { IncrementalReader } from './incremental-reader.ts'
import { plainStatements } from './plain-statements.ts'
import { lexiconAttribute, readSlot, root, type StoredSlot } from './stored-slot.ts'

/** An item that a sentence may be about, and what the item says. */
export interface Candidate {
  readonly item: MemoryItem
  readonly slot: StoredSlot
  /** Its position among all of its kind. */
  readonly place: number
}

/** An earlier statement that is not an item yet. */
export interface SaidCandidate extends Candidate {
  readonly message: HeardMessage
}

interface SlotIndex<Found extends Candidate> {
  /** The ids of the items with a word or a kind of value. */
  readonly byWord: Map<string, Set<string>>
  readonly found: Map<string, Found>
}

interface Indexes {
  readonly items: SlotIndex<Candidate>
  readonly itemReader: IncrementalReader<ItemState>
  readonly said: SlotIndex<SaidCandidate>
  readonly saidReader: IncrementalReader<HeardMessage>
  /** The sentences that items come from. */
  readonly sources: Set<string>
}

/** Reading all items again for every sentence would be slow in a large memory. */
const indexes = new WeakMap<MemoryState, Indexes>()

function indexOf(state: MemoryState): Indexes {
  const index = indexes.get(state) ?? {
    items: { byWord: new Map(), found: new Map() },
    itemReader: new IncrementalReader(),
    said: { byWord: new Map(), found: new Map() },
    saidReader: new IncrementalReader(),
    sources: new Set(),
  }
  indexes.set(state, index)
  return index
}

/** Indexes the items and the plain statements of a state until `isDue`. Returns whether all of them are indexed. */
export function indexItems(state: MemoryState, isDue: () => boolean): boolean {
  const { items, itemReader, said, saidReader, sources } = indexOf(state)
  const readItem = ({ item }: ItemState): void => {
    addToIndex(items, { item, slot: readSlot(item), place: items.found.size })
    sources.add(sourceKey(item.source))
  }
  const readMessage = (message: HeardMessage): void => {
    for (const item of plainStatements(message))
      addToIndex(said, { item, slot: readSlot(item), place: said.found.size, message })
  }
  return (
    itemReader.read(state.items, readItem, isDue) &&
    saidReader.read(state.heard, readMessage, isDue)
  )
}

/** The same for all items of one sentence. */
export function sourceKey({ session, message, quote }: Omit<ItemSource, 'origin'>): string {
  return JSON.stringify([session, message, quote])
}

function addToIndex<Found extends Candidate>(
  { byWord, found }: SlotIndex<Found>,
  candidate: Found,
): void {
  const { item, slot } = candidate
  const { id } = item
  found.set(id, candidate)
  const words = [...slot.frame, ...slot.values.flatMap(({ stems }) => stems)]
  const attribute = lexiconAttribute(item, slot)
  for (const key of [
    ...words.flatMap(keysOf),
    ...(attribute === undefined ? [] : [`=${attribute}`]),
  ])
    byWord.set(key, (byWord.get(key) ?? new Set()).add(id))
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

/** The items that a sentence may be about. Those that share most with it come first, then the newest. */
export function findCandidates(state: MemoryState, sentence: string): readonly Candidate[] {
  indexItems(state, () => false)
  return candidatesIn(indexOf(state).items, sentence)
}

/** The earlier plain statements that a sentence may be about and that no item was taken from. */
export function findSaid(state: MemoryState, sentence: string): readonly SaidCandidate[] {
  indexItems(state, () => false)
  const { said, sources } = indexOf(state)
  return candidatesIn(said, sentence).filter(({ item }) => !sources.has(sourceKey(item.source)))
}

/** The candidates that share a word or a kind of value with a sentence. */
function candidatesIn<Found extends Candidate>(
  { byWord, found }: SlotIndex<Found>,
  sentence: string,
): readonly Found[] {
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
  return [...shared]
    .flatMap(([id, count]) => (count < least ? [] : { ...found.get(id)!, count }))
    .toSorted((a, b) => b.count - a.count || b.place - a.place)
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
