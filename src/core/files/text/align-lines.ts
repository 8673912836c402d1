import { partitionPoint } from '../../words/partition-point.ts'

/**
 * For each line of a newer text, the index of the same line in an older one, or -1. Indices ascend. Equal beginnings and
 * ends are matched first, then lines that occur once in both texts, then, in small stretches, the longest common
 * subsequence; so the time is nearly linear in the lines.
 */
export function alignLines(older: readonly string[], newer: readonly string[]): readonly number[] {
  const matches = new Array<number>(newer.length).fill(-1)
  const stretches: Stretch[] = [
    { oldStart: 0, oldEnd: older.length, newStart: 0, newEnd: newer.length },
  ]
  for (let stretch = stretches.pop(); stretch !== undefined; stretch = stretches.pop()) {
    const inner = matchEnds(older, newer, stretch, matches)
    const olds = inner.oldEnd - inner.oldStart
    const news = inner.newEnd - inner.newStart
    // A single line on each side differs, or it would have been matched.
    if (olds === 0 || news === 0 || (olds === 1 && news === 1)) continue
    if (olds * news <= largestTable) matchCommon(older, newer, inner, matches)
    else stretches.push(...splitAtUnique(older, newer, inner, matches))
  }
  return matches
}

interface Stretch {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

const largestTable = 20_000

function matchEnds(
  older: readonly string[],
  newer: readonly string[],
  stretch: Stretch,
  matches: number[],
): Stretch {
  let { oldStart, oldEnd, newStart, newEnd } = stretch
  while (oldStart < oldEnd && newStart < newEnd && older[oldStart] === newer[newStart]) {
    matches[newStart++] = oldStart++
  }
  while (oldStart < oldEnd && newStart < newEnd && older[oldEnd - 1] === newer[newEnd - 1]) {
    matches[--newEnd] = --oldEnd
  }
  return { oldStart, oldEnd, newStart, newEnd }
}

/** Matches the longest common subsequence. */
function matchCommon(
  older: readonly string[],
  newer: readonly string[],
  { oldStart, oldEnd, newStart, newEnd }: Stretch,
  matches: number[],
): void {
  const news = newEnd - newStart
  const numbers = new Map<string, number>()
  // Each distinct text gets a number, so that the table compares numbers.
  const right = new Int32Array(news)
  for (let j = 0; j < news; j++) {
    const text = newer[newStart + j] as string
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    right[j] = number
  }
  // Lines that occur on one side only cannot match.
  const left: number[] = []
  const places: number[] = []
  for (let at = oldStart; at < oldEnd; at++) {
    const number = numbers.get(older[at] as string)
    if (number === undefined) continue
    left.push(number)
    places.push(at)
  }
  const olds = left.length
  const width = news + 1
  const lengths = new Uint16Array((olds + 1) * width)
  for (let i = olds - 1; i >= 0; i--) {
    const row = i * width
    const below = row + width
    for (let j = news - 1; j >= 0; j--) {
      lengths[row + j] =
        left[i] === right[j]
          ? (lengths[below + j + 1] as number) + 1
          : Math.max(lengths[below + j] as number, lengths[row + j + 1] as number)
    }
  }
  for (let i = 0, j = 0; i < olds && j < news; ) {
    const at = i * width + j
    if (left[i] === right[j]) matches[newStart + j++] = places[i++] as number
    else if ((lengths[at + width] as number) >= (lengths[at + 1] as number)) i++
    else j++
  }
}

/** Matches the lines that occur once on both sides, and returns the stretches between them. */
function splitAtUnique(
  older: readonly string[],
  newer: readonly string[],
  { oldStart, oldEnd, newStart, newEnd }: Stretch,
  matches: number[],
): readonly Stretch[] {
  const oldPlaces = uniquePlaces(older, oldStart, oldEnd)
  const newPlaces = uniquePlaces(newer, newStart, newEnd)
  const pairs: { readonly old: number; readonly new: number }[] = []
  for (const [text, place] of newPlaces) {
    const old = oldPlaces.get(text)
    if (old !== undefined && old !== -1 && place !== -1) pairs.push({ old, new: place })
  }
  const chain = longestAscending(pairs)
  if (chain.length === 0) return []
  const stretches: Stretch[] = []
  let oldFrom = oldStart
  let newFrom = newStart
  for (const pair of chain) {
    matches[pair.new] = pair.old
    stretches.push({ oldStart: oldFrom, oldEnd: pair.old, newStart: newFrom, newEnd: pair.new })
    oldFrom = pair.old + 1
    newFrom = pair.new + 1
  }
  stretches.push({ oldStart: oldFrom, oldEnd, newStart: newFrom, newEnd })
  return stretches
}

/** Each text's place, or -1 when it occurs more than once. */
function uniquePlaces(
  texts: readonly string[],
  start: number,
  end: number,
): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (let index = start; index < end; index++) {
    const text = texts[index] as string
    places.set(text, places.has(text) ? -1 : index)
  }
  return places
}

/** The longest chain of pairs with ascending old places; the pairs are in the order of their new places. */
function longestAscending<Pair extends { readonly old: number }>(
  pairs: readonly Pair[],
): readonly Pair[] {
  const ends: number[] = []
  const previous: number[] = []
  pairs.forEach((pair, index) => {
    const length = partitionPoint(ends.length, (at) => pairs[ends[at]!]!.old < pair.old)
    previous[index] = length === 0 ? -1 : (ends[length - 1] as number)
    ends[length] = index
  })
  const chain: Pair[] = []
  for (let at = ends.at(-1) ?? -1; at !== -1; at = previous[at] as number) {
    chain.push(pairs[at] as Pair)
  }
  return chain.reverse()
}
