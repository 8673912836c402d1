/** The position at or before the given one that does not split a surrogate pair. */
export function boundaryBefore(text: string, at: number): number {
  return splitsPair(text, at) ? at - 1 : at
}

/** The position at or after the given one that does not split a surrogate pair. */
export function boundaryAfter(text: string, at: number): number {
  return splitsPair(text, at) ? at + 1 : at
}

/** The beginning of a text, with `…` if it is cut; never longer than `limit`. */
export function cutEnd(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, boundaryBefore(text, Math.max(0, limit - 1)))}…`
}

/**
 * The beginning and the end of a text with `…` between them; never longer than `limit`. The end gets the larger part, so
 * that a path keeps its file name.
 */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = boundaryBefore(text, Math.floor(Math.max(0, limit - 1) / 3))
  const tail = boundaryAfter(text, text.length - Math.max(0, limit - 1 - head))
  return `${text.slice(0, head)}…${text.slice(tail)}`
}

/** The beginning of a text, cut with `…` at the first space from `limit` on, so that no word of it is cut. */
export function cutWords(text: string, limit: number): string {
  const end = text.length <= limit ? -1 : text.indexOf(' ', limit)
  return end === -1 ? cutEnd(text, longestWords) : cutEnd(`${text.slice(0, end)} …`, longestWords)
}

/** A text without spaces, such as encoded data, is cut all the same. */
const longestWords = 600

/** The first of the texts that is shorter than the original; null when there is none. */
export function firstShorter(candidates: readonly string[], original: string): string | null {
  return candidates.find((text) => text !== '' && text.length < original.length) ?? null
}

/** The text on one line: every run of white space, and every control character, becomes one blank. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes of a terminal must not reach a rendition
  return text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim()
}

function splitsPair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
