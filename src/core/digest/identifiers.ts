/** Characters of a name, and what each of them says about it. */
const part = 1
const digit = 2
const lower = 4
const upper = 8
/** `_`, `/` and `.`: a plain word has none. */
const mark = 16
/** What times and versions are made of. */
const stamp = 32
/** By the code of a character; of all of them, so that nothing has to be asked before it is looked up. */
const traits = new Uint8Array(0x1_00_00)
for (const [characters, trait] of [
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', part | upper],
  ['abcdefghijklmnopqrstuvwxyz', part | lower],
  ['0123456789', part | digit | stamp],
  ['_/.', part | mark],
  ['@-', part],
  ['./:T-', stamp],
] as const) {
  for (const character of characters) traits[character.charCodeAt(0)]! |= trait
}

const shortest = 8
const longestWord = 300
const address = /https?:\/\/[^\s"'`<>()[\]{}|\\^]{4,200}/y

/**
 * Names that a later call may copy: addresses, and words of at least eight characters with a digit, `_`, `/`, `.` or an
 * inner capital. Plain words are left to the prose that they stand in. Each name of the text comes in order, the same
 * one as often as it stands there.
 */
export function identifiersIn(text: string): readonly string[] {
  const names: string[] = []
  let at = 0
  for (let scheme = text.indexOf('://'); scheme !== -1; scheme = text.indexOf('://', scheme + 1)) {
    if (scheme < at) continue
    const from = addWords(text, at, scheme, names)
    at = scheme
    const start = schemeStart(text, scheme)
    address.lastIndex = start
    if (start < from || !address.test(text)) continue
    at = address.lastIndex
    addName(text, start, at, names)
  }
  addWords(text, at, text.length, names)
  return names
}

/** Where the `http` or `https` before a colon begins; -1 where something else stands there. */
function schemeStart(text: string, colon: number): number {
  if (text.startsWith('https', colon - 5)) return colon - 5
  return text.startsWith('http', colon - 4) ? colon - 4 : -1
}

/**
 * Adds the names between two places, and says where the last word ended that was long enough for one. It looks at the
 * eighth character before the first seven: most words are shorter, and it need not look at all of them.
 */
function addWords(text: string, from: number, to: number, names: string[]): number {
  let ended = from
  let at = from
  while (at + shortest <= to) {
    let end = at + shortest - 1
    while (end >= at && isPart(text.charCodeAt(end))) end--
    if (end >= at) {
      at = end + 1
      continue
    }
    const limit = Math.min(to, at + longestWord)
    end = at + shortest
    while (end < limit && isPart(text.charCodeAt(end))) end++
    addName(text, at, end, names)
    at = end
    ended = end
  }
  return ended
}

function isPart(code: number): boolean {
  return ((traits[code] as number) & part) !== 0
}

/** A sentence's full stop and a list's dash are no part of a name; `./` before it is. */
function addName(text: string, from: number, to: number, names: string[]): void {
  let start = from
  let end = to
  while (start < end && isBefore(text.charCodeAt(start))) start++
  while (end > start && isBehind(text.charCodeAt(end - 1))) end--
  if (end - start >= shortest && isIdentifier(text, start, end)) names.push(text.slice(start, end))
}

/** `-` and `@`. */
function isBefore(code: number): boolean {
  return code === 45 || code === 64
}

/** `.`, `-`, `/`, `@`, `,`, `;` and `:`. */
function isBehind(code: number): boolean {
  return code <= 64 && (code === 64 || (code >= 44 && code <= 47) || code === 58 || code === 59)
}

function isIdentifier(text: string, start: number, end: number): boolean {
  let some = 0
  let all = 0xff
  let hasInnerCapital = false
  let before = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const trait = traits[code] as number
    if ((trait & upper) !== 0 && (before & lower) !== 0) hasInnerCapital = true
    // A time may end with its zone.
    all &= at === end - 1 && code === capitalZ ? all & ~digit : trait
    some |= trait
    before = trait
  }
  if ((all & stamp) !== 0) return (all & digit) !== 0 && end - start <= 20
  if ((some & (digit | lower | upper)) === 0) return false
  if (end - start >= 40 && isEncoded(text.slice(start, end))) return false
  return (some & (digit | mark)) !== 0 || hasInnerCapital
}

const capitalZ = 90

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
const joinedTexts = 200

/** The names that stand only in what was left out: by kind, those that came several times first. */
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
  const names = fitting(byRank(counts), limits.chars)
  return { names, more: counts.size - names.length }
}

/** Lines are parts of a longer text, and such a part takes longer to look at than a text of its own. */
function* joined(lines: Iterable<string>): Generator<string> {
  let some: string[] = []
  for (const line of lines) {
    if (some.push(line) < joinedTexts) continue
    yield some.join('\n')
    some = []
  }
  yield some.join('\n')
}

/** As many as there is room for; the shorter ones of those that come later may still fit. */
function fitting(ranks: readonly (readonly string[] | undefined)[], room: number): string[] {
  const names: string[] = []
  let left = room
  for (let rank = ranks.length - 1; rank >= 0; rank--) {
    const ofRank = ranks[rank]
    if (ofRank === undefined) continue
    for (const name of ofRank) {
      if (left < shortest + 1) return names
      if (name.length + 1 > left) continue
      names.push(name)
      left -= name.length + 1
    }
  }
  return names
}

/** By rank, as they came. */
function byRank(counts: ReadonlyMap<string, number>): (string[] | undefined)[] {
  const ranks: (string[] | undefined)[] = []
  counts.forEach((count, name) => {
    const rank = rankOf(name, count) + lowestRank
    const names = ranks[rank]
    if (names === undefined) ranks[rank] = [name]
    else names.push(name)
  })
  return ranks
}

const lowestRank = 4

/** A file is opened by its path; a method behind its object, a version or a closing tag is rarely looked up. */
function rankOf(name: string, count: number): number {
  return kindRank(name) + Math.min(count, 3) - (name.length > 100 ? 4 : 0)
}

function kindRank(name: string): number {
  // Most names are one word, and need no closer look.
  if (/^[A-Za-z_]\w*$/.test(name) && !name.startsWith('http')) return 4
  if (/^\d+$/.test(name)) return 1
  if (/^\/[\w-]+$/.test(name)) return 0
  if (name.startsWith('.') || name.startsWith('http')) return 3
  if (/\/.*\.[A-Za-z]{1,5}$/.test(name)) return 6
  if (/^[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}$/.test(name) && !/[A-Z]\w*$/.test(name)) return 4
  if (name.split('/').length > 2) return 4
  return 2
}
