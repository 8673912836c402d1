import { skipSpace, skipString, skipValue } from './scan.ts'

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a
/** How JSON may spell any letter of a key. */
const escapeOfAscii = '\\u00'

/**
 * Where the value at the end of a path begins, in valid JSON whose value begins at `at`, or -1 where this short way does
 * not lead: a `RawNode` finds what is there, if anything. Makes nothing, where a `RawNode` makes all that it passes. The
 * keys of the path must be ASCII, because bytes are scanned as Latin-1.
 */
export function findValue(scan: string, at: number, path: readonly (string | number)[]): number {
  let position = at
  for (const step of path) {
    position =
      typeof step === 'number' ? elementAt(scan, position, step) : memberAt(scan, position, step)
    if (position < 0) return -1
  }
  return position
}

/**
 * The same for a member of which the caller knows that it is there, when nothing else between `start` and `end` is
 * spelled as its key: then that is the one, at whatever depth. A plain search takes a fraction of going there step by step.
 * -1 also when something may be spelled otherwise than it reads.
 */
export function findOnlyMember(scan: string, start: number, end: number, key: string): number {
  const within = scan.slice(start, end)
  const spelling = `"${key}"`
  const at = within.indexOf(spelling)
  if (at < 0 || within.indexOf(spelling, at + 1) >= 0 || within.includes(escapeOfAscii)) return -1
  const behind = skipSpace(scan, start + at + spelling.length)
  return scan.charCodeAt(behind) === colon ? skipSpace(scan, behind + 1) : -1
}

/** The last member of that key, which is the one that JSON.parse takes. */
function memberAt(scan: string, at: number, key: string): number {
  if (scan.charCodeAt(at) !== openBrace) return -1
  let found = -1
  let position = skipSpace(scan, at + 1)
  while (scan.charCodeAt(position) === quote) {
    const end = skipString(scan, position)
    // An escape may spell any key.
    if (end < 0 || holdsBackslash(scan, position, end)) return -1
    const isKey = end - position - 2 === key.length && scan.startsWith(key, position + 1)
    const value = skipSpace(scan, skipSpace(scan, end) + 1)
    if (isKey) found = value
    const behind = skipValue(scan, value)
    if (behind < 0) return -1
    position = skipSpace(scan, skipSpace(scan, behind) + 1)
  }
  return found
}

function elementAt(scan: string, at: number, index: number): number {
  if (scan.charCodeAt(at) !== openBracket) return -1
  let position = skipSpace(scan, at + 1)
  for (let passed = 0; passed < index; passed++) {
    const end = skipValue(scan, position)
    const after = end < 0 ? end : skipSpace(scan, end)
    if (scan.charCodeAt(after) !== comma) return -1
    position = skipSpace(scan, after + 1)
  }
  return scan.charCodeAt(position) === closeBracket ? -1 : position
}

function holdsBackslash(scan: string, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    if (scan.charCodeAt(position) === backslash) return true
  }
  return false
}
