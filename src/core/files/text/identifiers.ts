import { withoutTrailing } from '../../words/text.ts'

/** Shorter words are too common to identify anything. */
export const shortestName = 8

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
