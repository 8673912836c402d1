/** Bits that classify the characters of a name. */
const part = 1
const digit = 2
const lower = 4
const upper = 8
/** `_`, `/` and `.`, which plain words do not have. */
const mark = 16
/** Characters of times and versions. */
const stamp = 32
/** By character code. */
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

/** Shorter words are too common to identify anything. */
export const shortestName = 8
const longestWord = 300
const address = /https?:\/\/[^\s"'`<>()[\]{}|\\^]{4,200}/y

/**
 * Names that a later call may copy: addresses, and words of at least eight characters with a digit, `_`, `/`, `.` or an
 * inner capital. They are in the order of the text, with repetitions.
 */
export function identifiersIn(text: string): readonly string[] {
  const names: string[] = []
  let at = 0
  for (let scheme = text.indexOf('://'); scheme !== -1; scheme = text.indexOf('://', scheme + 1)) {
    if (scheme < at) continue
    const ended = addWords(text, at, scheme, names)
    at = scheme
    const start = schemeStart(text, scheme)
    address.lastIndex = start
    if (start < ended || !address.test(text)) continue
    at = address.lastIndex
    addName(text, start, at, names)
  }
  addWords(text, at, text.length, names)
  return names
}

/** The start of the `http` or `https` before a colon, or -1. */
function schemeStart(text: string, colon: number): number {
  if (text.startsWith('https', colon - 5)) return colon - 5
  return text.startsWith('http', colon - 4) ? colon - 4 : -1
}

/**
 * Adds the names between two positions, and returns where the last long enough word ended. It checks the eighth character
 * first, so that most shorter words are skipped without reading all of their characters.
 */
function addWords(text: string, from: number, to: number, names: string[]): number {
  let ended = from
  let at = from
  while (at + shortestName <= to) {
    let end = at + shortestName - 1
    while (end >= at && isPart(text.charCodeAt(end))) end--
    if (end >= at) {
      at = end + 1
      continue
    }
    const limit = Math.min(to, at + longestWord)
    end = at + shortestName
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

/** Adds a word without the punctuation around it, if it is an identifier. */
function addName(text: string, from: number, to: number, names: string[]): void {
  let start = from
  let end = to
  while (start < end && isLeadingMark(text.charCodeAt(start))) start++
  while (end > start && isTrailingMark(text.charCodeAt(end - 1))) end--
  if (end - start >= shortestName && isIdentifier(text, start, end))
    names.push(text.slice(start, end))
}

/** True for `-` and `@`, which are dropped at the start of a name. */
function isLeadingMark(code: number): boolean {
  return code === 45 || code === 64
}

/** True for `.`, `-`, `/`, `@`, `,`, `;` and `:`, which are dropped at the end of a name. */
function isTrailingMark(code: number): boolean {
  return code <= 64 && (code === 64 || (code >= 44 && code <= 47) || code === 58 || code === 59)
}

function isIdentifier(text: string, start: number, end: number): boolean {
  let some = 0
  let all = 0xff
  let hasInnerCapital = false
  let previous = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const trait = traits[code] as number
    if ((trait & upper) !== 0 && (previous & lower) !== 0) hasInnerCapital = true
    // A time may end with the zone `Z`.
    all &= at === end - 1 && code === capitalZ ? all & ~digit : trait
    some |= trait
    previous = trait
  }
  if ((all & stamp) !== 0) return (all & digit) !== 0 && end - start <= 20
  if ((some & (digit | lower | upper)) === 0) return false
  if ((some & mixed) === mixed && isEncoded(text, start, end)) return false
  return (some & (digit | mark)) !== 0 || hasInnerCapital
}

const capitalZ = 90

/** Digits, and letters of both cases. */
const mixed = digit | lower | upper
const leastEncoded = 40

/** True for a long part without separators; when it is mixed, it is encoded data. */
function isEncoded(text: string, start: number, end: number): boolean {
  let begin = start
  for (let at = start; at < end && end - begin >= leastEncoded; at++) {
    if (isSeparator(text.charCodeAt(at))) begin = at + 1
    else if (at - begin + 1 >= leastEncoded) return true
  }
  return false
}

/** `_`, `.`, `/` and `-`. */
function isSeparator(code: number): boolean {
  return code === 95 || (code >= 45 && code <= 47)
}
