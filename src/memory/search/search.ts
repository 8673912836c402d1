import type { ItemSource, MemoryItem } from '../item.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { type Status, standing, statusAt } from '../state/as-of.ts'
import { confidenceAt } from '../state/confidence.ts'
import type { ItemState, MemoryState } from '../state/memory-state.ts'
import { isHeardAt, isVisible, openFlags, type Reach } from '../visible.ts'
import {
  type MessageIndex,
  type MessageRanking,
  messageScores,
  openMessageIndex,
  usualRanking,
} from './message-index.ts'
import { newestFirst } from './newest-first.ts'
import { TextIndex } from './text-index.ts'

/** One hit: a message as it was said, or an item. */
export interface SearchHit {
  readonly id: string
  readonly kind: MemoryItem['kind'] | 'message'
  readonly text: string
  readonly key?: string
  readonly value?: string
  /** False for superseded and retracted items, which are only returned with `include: 'all'`. */
  readonly current: boolean
  readonly status: Status
  readonly supersedes?: readonly string[]
  readonly supersededBy?: readonly string[]
  readonly source?: ItemSource
  readonly at: number
  readonly score: number
}

export interface SearchOptions {
  /** `current`: only current items. `all`: superseded and retracted ones too, marked. */
  readonly include?: 'current' | 'all'
  readonly limit?: number
  /** Leaves out items and messages of other projects and sessions. All of them are searched when left out. */
  readonly place?: Place
  /** The sessions that the caller may read. All of them when left out. */
  readonly reach?: Reach
  readonly ranking?: MessageRanking
}

interface Indexes {
  readonly items: TextIndex
  readonly messages: MessageIndex
  itemCount: number
}

const indexes = new WeakMap<MemoryState, Indexes>()

/** Full-text search over items and messages. Among equals, newer and more confident ones come first. */
export function searchMemory(
  memory: Memory,
  query: string,
  { include = 'current', limit = 20, place, reach, ranking = usualRanking }: SearchOptions = {},
): readonly SearchHit[] {
  const { state } = memory
  const now = memory.now()
  const { items, messages } = indexed(state)
  const hits: SearchHit[] = []
  const doubted = new Set(openFlags(state, place).map(({ items: [older] }) => older))
  const found = items.best(query, limit, (id) => {
    const entry = state.items.get(id)
    if (!entry || (place !== undefined && !isVisible(entry.item.scope, place))) return 0
    const status = statusAt(entry, now)
    return include === 'all' || status === 'current'
      ? itemWeight(entry, status, now) * (doubted.has(id) ? 0.5 : 1)
      : 0
  })
  for (const { id, score } of found) {
    const entry = state.items.get(id)!
    hits.push(itemHit(entry, statusAt(entry, now), score))
  }
  for (const { message, score } of messageScores(messages, query, ranking)) {
    if (place !== undefined && !isHeardAt(message, place, reach)) continue
    hits.push({
      id: message.id,
      kind: 'message',
      text: message.text,
      current: true,
      status: 'current',
      source: { origin: message.role, message: message.id, session: message.session },
      at: message.saidAt,
      score,
    })
  }
  return newestFirst(state, query, hits)
    .toSorted((a, b) => b.score - a.score || b.at - a.at || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

/** Confident items rank higher, items that are not current lower. */
function itemWeight(entry: ItemState, status: Status, now: number): number {
  return (0.5 + 0.5 * confidenceAt(entry, now)) * (status === 'current' ? 1 : 0.5)
}

export function itemHit(entry: ItemState, status: Status, score: number): SearchHit {
  const { item } = entry
  const supersedes = standing(entry.replaces).map((link) => link.old)
  const supersededBy = standing(entry.replacedBy).map((link) => link.new)
  return {
    id: item.id,
    kind: item.kind,
    text: item.text,
    ...(item.attribute === undefined ? {} : { key: item.attribute }),
    ...(item.value === undefined ? {} : { value: item.value }),
    current: status === 'current',
    status,
    ...(supersedes.length === 0 ? {} : { supersedes }),
    ...(supersededBy.length === 0 ? {} : { supersededBy }),
    source: item.source,
    at: item.validFrom,
    score,
  }
}

function indexed(state: MemoryState): Indexes {
  const known: Indexes = indexes.get(state) ?? {
    items: new TextIndex(),
    messages: openMessageIndex(),
    itemCount: 0,
  }
  indexes.set(state, known)
  // Items never change and are removed only with the whole state, so new ones are at the end.
  let place = 0
  if (state.items.size !== known.itemCount)
    for (const { item } of state.items.values())
      if (place++ >= known.itemCount) known.items.add(item.id, itemText(item))
  known.itemCount = state.items.size
  known.messages.update(state.heard)
  return known
}

function itemText(item: MemoryItem): string {
  return [
    item.text,
    item.attribute?.replaceAll('_', ' '),
    item.value,
    item.category,
    item.rationale,
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}
