import { addToList } from '../../words/lists.ts'
import { withoutTrailing } from '../../words/text.ts'

export interface NameIndex {
  /** The names that occur only in the left-out text, most useful first. */
  readonly names: readonly string[]
  /** How many of them did not fit. */
  readonly more: number
}

const mostCandidates = 5000
const joinedTexts = 200

/** The names that occur only in the left-out text, ranked by kind and number of occurrences. */
export function indexNames(
  leftOut: Iterable<string>,
  shown: string,
  limits: { readonly chars: number },
): NameIndex {
  const counts = new Map<string, number>()
  for (const text of joined(leftOut)) {
    for (const name of identifiersIn(text)) {
      const count = counts.get(name)
      if (count !== undefined) counts.set(name, count + 1)
      else if (counts.size < mostCandidates) counts.set(name, 1)
    }
    if (counts.size >= mostCandidates) break
  }
  for (const name of identifiersIn(shown)) counts.delete(name)
  const byRank = new Map<number, string[]>()
  for (const [name, count] of counts) addToList(byRank, rankOf(name, count), name)
  return fitting(byRank, counts.size, limits.chars)
}

/** Joins lines, because searching a joined text is faster than searching many slices. */
function* joined(lines: Iterable<string>): Generator<string> {
  let some: string[] = []
  for (const line of lines) {
    if (some.push(line) < joinedTexts) continue
    yield some.join('\n')
    some = []
  }
  yield some.join('\n')
}

/** The names that fit; a shorter one may still fit after a longer one did not. */
function fitting(
  byRank: ReadonlyMap<number, readonly string[]>,
  count: number,
  room: number,
): NameIndex {
  const names: string[] = []
  let left = room
  for (const [, ranked] of [...byRank].sort(([a], [b]) => b - a)) {
    for (const name of ranked) {
      if (left < shortestName + 1) return { names, more: count - names.length }
      if (name.length + 1 > left) continue
      names.push(name)
      left -= name.length + 1
    }
  }
  return { names, more: count - names.length }
}

/** Paths rank high, because files are opened by them; methods, versions and closing tags are rarely looked up. */
function rankOf(name: string, count: number): number {
  return kindRank(name) + Math.min(count, 3) - (name.length > 100 ? 4 : 0)
}

function kindRank(name: string): number {
  // Most names are one word.
  if (/^[A-Za-z_]\w*$/.test(name) && !name.startsWith('http')) return 4
  if (/^\d+$/.test(name)) return 1
  if (/^\/[\w-]+$/.test(name)) return 0
  if (name.startsWith('.') || name.startsWith('http')) return 3
  const slash = name.indexOf('/')
  if (slash !== -1) {
    if (/\/.*\.[A-Za-z]{1,5}$/.test(name)) return 6
    return name.lastIndexOf('/') > slash ? 4 : 2
  }
  return /^[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}$/.test(name) && !/[A-Z]\w*$/.test(name) ? 4 : 2
}

/** Shorter words are too common to identify anything. */
const shortestName = 8

/** Addresses, and words of at most 300 characters. An address is a word when it begins inside a longer one. */
const candidate = /https?:\/\/[^\s"'`<>()[\]{}|\\^]{4,200}|[\w/.@-]{8,300}/g

/**
 * Names that a later call may copy: addresses, and words of at least eight characters with a digit, `_`, `/`, `.` or an
 * inner capital. They are in the order of the text, with repetitions.
 */
export function identifiersIn(text: string): readonly string[] {
  return [...text.matchAll(candidate)].map(([found]) => withoutMarks(found)).filter(isIdentifier)
}

/** A word without the punctuation around it. */
function withoutMarks(word: string): string {
  return withoutTrailing(word.replace(/^[@-]+/, ''), '.-/@,;:')
}

/** Numbers, times and versions. A time may end with the zone `Z`. */
const stamp = /^[\d./:T-]+Z?$/

function isIdentifier(name: string): boolean {
  if (name.length < shortestName) return false
  if (stamp.test(name)) return /^\d{1,20}$/.test(name)
  if (!/[A-Za-z\d]/.test(name) || isEncoded(name)) return false
  return /[\d_/.]|[a-z][A-Z]/.test(name)
}

/** True for digits and letters of both cases with a long part without separators. */
function isEncoded(name: string): boolean {
  return /[^_./-]{40}/.test(name) && /[a-z]/.test(name) && /[A-Z]/.test(name) && /\d/.test(name)
}
