/**
 * Names that a later call may copy: addresses, and words of at least eight characters with a digit, `_`, `/`, `.` or an
 * inner capital. Plain words are left to the prose that they stand in.
 */
const candidate = /https?:\/\/[^\s"'`<>()[\]{}|\\^]{4,200}|[A-Za-z0-9_./@-]{8,300}/g
const shortest = 8

/** Each name of the text, in order, the same one as often as it stands there. */
export function* identifiersIn(text: string): Generator<string> {
  for (const [found] of text.matchAll(candidate)) {
    const name = trimmed(found)
    if (name.length >= shortest && isIdentifier(name)) yield name
  }
}

/** A sentence's full stop and a list's dash are no part of a name; `./` before it is. */
function trimmed(found: string): string {
  let start = 0
  let end = found.length
  while (start < end && (found[start] === '-' || found[start] === '@')) start++
  while (end > start && '.-/@,;:'.includes(found[end - 1] as string)) end--
  return found.slice(start, end)
}

function isIdentifier(name: string): boolean {
  if (/^[\d./:T-]+Z?$/.test(name)) return /^\d{8,20}$/.test(name)
  if (!/[A-Za-z0-9]/.test(name) || (name.length >= 40 && isEncoded(name))) return false
  return /[\d_/.]/.test(name) || /[a-z][A-Z]/.test(name)
}

/** Encoded data: long, without a word's rhythm of separators, and figures among letters of both cases. */
function isEncoded(name: string): boolean {
  const longest = Math.max(...name.split(/[_./-]/).map((part) => part.length))
  return longest >= 40 && /\d/.test(name) && /[a-z]/.test(name) && /[A-Z]/.test(name)
}

export interface NameIndex {
  /** The names that were found in what is left out and nowhere in what is shown, most useful first. */
  readonly names: readonly string[]
  /** How many of them did not fit. */
  readonly more: number
}

const mostCandidates = 5000

/** The names that stand only in what was left out: by kind, those that came several times first. */
export function indexNames(
  leftOut: Iterable<string>,
  shown: string,
  limits: { readonly chars: number },
): NameIndex {
  const counts = new Map<string, number>()
  for (const text of leftOut) {
    for (const name of identifiersIn(text)) {
      const count = counts.get(name)
      if (count !== undefined) counts.set(name, count + 1)
      else if (counts.size < mostCandidates) counts.set(name, 1)
    }
    if (counts.size >= mostCandidates) break
  }
  for (const name of identifiersIn(shown)) counts.delete(name)
  const ranks = new Map([...counts].map(([name, count]) => [name, rankOf(name, count)]))
  const ranked = [...counts.keys()].toSorted((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0))
  const names: string[] = []
  let chars = 0
  for (const name of ranked) {
    if (chars + name.length + 1 > limits.chars) continue
    names.push(name)
    chars += name.length + 1
  }
  return { names, more: ranked.length - names.length }
}

/** A file is opened by its path; a method behind its object, a version or a closing tag is rarely looked up. */
function rankOf(name: string, count: number): number {
  return kindRank(name) + Math.min(count, 3) - (name.length > 100 ? 4 : 0)
}

function kindRank(name: string): number {
  if (/^\d+$/.test(name)) return 1
  if (/^\/[\w-]+$/.test(name)) return 0
  if (name.startsWith('.') || name.startsWith('http')) return 3
  if (/\/.*\.[A-Za-z]{1,5}$/.test(name)) return 6
  if (/^[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}$/.test(name) && !/[A-Z]\w*$/.test(name)) return 4
  if (name.split('/').length > 2) return 4
  if (/^[A-Za-z_]\w*$/.test(name)) return /^\d/.test(name) ? 1 : 4
  return 2
}
