import { stem } from '../statements/topic.ts'
import { readWords } from '../understand/words.ts'

const saturation = 1.2
const lengthWeight = 0.75
const commonShare = 0.2
const leastCommonTexts = 1_000
const shortestPrefix = 4
const mostPrefixMatches = 8

/** Words too common to search for. */
const stopWords = new Set(
  (
    'a an the of in to for with on at from by as is are was were be been am do does did have has had and or but not it its this that these those ' +
    'i you we they he she my your our their me us them what which who when where why how can could will would should there here so if then than ' +
    'current currently now still use used uses using get gets any some about tell give list show'
  ).split(' '),
)

/** The words of a text as stems. A compound name gives the whole and its parts. */
function searchWords(text: string): readonly string[] {
  const found: string[] = []
  for (const { lower } of readWords(text).words) {
    if (stopWords.has(lower)) continue
    found.push(stem(lower))
    const parts = lower.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 1)
    if (parts.length > 1) for (const part of parts) if (!stopWords.has(part)) found.push(stem(part))
  }
  return found
}

interface Posting {
  readonly texts: number[]
  readonly counts: number[]
}

export interface Scored {
  readonly id: string
  readonly score: number
}

/** A full-text index in memory. It is never written to disk, so forgetting has no index to clean. */
export class TextIndex {
  readonly #postings: Map<string, Posting> = new Map()
  readonly #places: Map<string, number> = new Map()
  readonly #ids: (string | undefined)[] = []
  readonly #lengths: number[] = []
  #total = 0

  /** Indexes a text. Replaces the text with the same id. */
  add(id: string, text: string): void {
    this.#drop(id)
    const words = searchWords(text)
    const place = this.#ids.length
    this.#ids.push(id)
    this.#places.set(id, place)
    this.#lengths.push(words.length)
    this.#total += words.length
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, count] of counts) {
      const posting = this.#postings.get(word) ?? { texts: [], counts: [] }
      posting.texts.push(place)
      posting.counts.push(count)
      this.#postings.set(word, posting)
    }
  }

  /** BM25 of every text that shares a word with the query. */
  scores(query: string): readonly Scored[] {
    const { places, sums } = this.#sums(query)
    return places.flatMap((place) => {
      const id = this.#ids[place]
      return id === undefined ? [] : [{ id, score: sums[place]! }]
    })
  }

  /** The best texts, best first. `weigh` returns a factor from 0 to 1 for each text; 0 leaves it out. */
  best(query: string, limit: number, weigh: (id: string) => number): readonly Scored[] {
    const { places, sums } = this.#sums(query)
    for (let count = limit * 4; ; count *= 4) {
      const weighed = highest(places, sums, count).flatMap((place) => {
        const id = this.#ids[place]
        const weight = id === undefined ? 0 : weigh(id)
        return id !== undefined && weight > 0 ? [{ id, score: sums[place]! * weight }] : []
      })
      if (weighed.length >= limit || count >= places.length)
        return weighed.toSorted((a, b) => b.score - a.score).slice(0, limit)
    }
  }

  #drop(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    this.#ids[place] = undefined
    this.#total -= this.#lengths[place] ?? 0
    this.#places.delete(id)
  }

  #sums(query: string): { readonly places: readonly number[]; readonly sums: Float64Array } {
    const sums = new Float64Array(this.#ids.length)
    const places: number[] = []
    const size = this.#places.size
    const average = this.#total / Math.max(1, size)
    for (const { texts, counts } of this.#queryPostings(query)) {
      const rarity = Math.log(
        1 + (Math.max(size, texts.length) - texts.length + 0.5) / (texts.length + 0.5),
      )
      for (let entry = 0; entry < texts.length; entry++) {
        const place = texts[entry]!
        const count = counts[entry]!
        const length = this.#lengths[place]! / Math.max(1, average)
        const weight =
          (count * (saturation + 1)) /
          (count + saturation * (1 - lengthWeight + lengthWeight * length))
        if (sums[place] === 0) places.push(place)
        sums[place] = sums[place]! + rarity * weight
      }
    }
    return { places, sums }
  }

  /** The postings of the query's words, without very common words unless there are only those. */
  #queryPostings(query: string): readonly Posting[] {
    const found = [...this.#queryWords(query)].flatMap((word) => {
      const posting = this.#postings.get(word)
      return posting === undefined ? this.#withPrefix(word) : [posting]
    })
    const common = Math.max(leastCommonTexts, this.#places.size * commonShare)
    const rare = found.filter(({ texts }) => texts.length <= common)
    return rare.length > 0 ? rare : found
  }

  /** An unknown word is searched as a prefix: `indent` finds `indentation`. */
  #withPrefix(word: string): readonly Posting[] {
    if (word.length < shortestPrefix) return []
    const found: Posting[] = []
    for (const [known, posting] of this.#postings) {
      if (known.startsWith(word)) found.push(posting)
      if (found.length >= mostPrefixMatches) break
    }
    return found
  }

  /** A compound name counts as a whole when it is indexed, otherwise by its parts. */
  #queryWords(query: string): ReadonlySet<string> {
    const found = new Set<string>()
    for (const { text } of readWords(query).words) {
      const [whole, ...parts] = searchWords(text)
      if (whole === undefined) continue
      const words = parts.length === 0 || this.#postings.has(whole) ? [whole] : parts
      for (const word of words) found.add(word)
    }
    return found
  }
}

/** The places with the highest scores, best first, without sorting all of them. */
function highest(places: readonly number[], sums: Float64Array, count: number): readonly number[] {
  const byScore = (a: number, b: number): number => sums[b]! - sums[a]!
  let kept: number[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const place of places) {
    if (sums[place]! <= least) continue
    kept.push(place)
    if (kept.length < count * 4) continue
    kept = kept.sort(byScore).slice(0, count)
    least = sums[kept.at(-1)!]!
  }
  return kept.sort(byScore).slice(0, count)
}
