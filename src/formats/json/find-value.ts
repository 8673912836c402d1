import { skipSpace, skipString, skipValue } from './scan.ts'

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c

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
