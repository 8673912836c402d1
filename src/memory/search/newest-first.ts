import { itemKey } from '../item.ts'
import type { MemoryState } from '../state/memory-state.ts'
import { topicOf } from '../statements/topic.ts'
import { splitSentences } from '../understand/sentences.ts'
import type { SearchHit } from './search.ts'

/** The share of an older hit's words that a newer hit must also have to be about the same thing. */
const sameShare = 0.5
const fewestShared = 2
/** Only the best hits are compared with each other. */
const mostCompared = 40

/**
 * Ranks the newest of several hits about one thing above the older ones. Items of one key are about one thing; messages
 * are when their best sentences have the same words of the question.
 */
export function newestFirst(
  state: MemoryState,
  query: string,
  hits: readonly SearchHit[],
): readonly SearchHit[] {
  const asked = topicOf(query)
  const top = hits
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostCompared)
    .map((hit) => ({ hit, about: aboutOf(state, asked, hit) }))
    .toSorted((a, b) => a.hit.at - b.hit.at)
  const scores = new Map<SearchHit, number>()
  for (const [at, newer] of top.entries()) {
    let score = newer.hit.score
    for (const older of top.slice(0, at))
      if (older.hit.at < newer.hit.at && isSameThing(older.about, newer.about))
        score = Math.max(score, (scores.get(older.hit) ?? older.hit.score) * 1.001)
    scores.set(newer.hit, score)
  }
  return hits.map((hit) => ({ ...hit, score: scores.get(hit) ?? hit.score }))
}

interface About {
  readonly key?: string
  readonly words: ReadonlySet<string>
}

function aboutOf(state: MemoryState, asked: ReadonlySet<string>, hit: SearchHit): About {
  if (hit.kind !== 'message') {
    const item = state.items.get(hit.id)?.item
    const key = item === undefined ? undefined : itemKey(item)
    return { words: new Set(), ...(key === undefined ? {} : { key }) }
  }
  if (hit.source?.origin !== 'user') return { words: new Set() }
  let words: ReadonlySet<string> = new Set()
  for (const sentence of splitSentences(hit.text)) {
    const found = new Set([...topicOf(sentence)].filter((word) => asked.has(word)))
    if (found.size > words.size) words = found
  }
  return { words }
}

function isSameThing(older: About, newer: About): boolean {
  if (older.key !== undefined || newer.key !== undefined) return older.key === newer.key
  const shared = [...older.words].filter((word) => newer.words.has(word)).length
  return shared >= fewestShared && shared >= sameShare * older.words.size
}
