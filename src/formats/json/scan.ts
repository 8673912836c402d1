/**
 * Finds where JSON values end, without building them. It is exact on valid JSON; on anything else it may only be wrong
 * about where a value ends, and whoever parses that piece finds out. All functions are linear and none recurses.
 */

/** Deeper than any request is, and shallow enough for every recursive reader of the same body. */
export const maximumDepth = 1_000

const quote = 0x22
const backslash = 0x5c

/** The first position from `at` on that is no JSON white space. */
export function skipSpace(text: string, at: number): number {
  let position = at
  for (;;) {
    const code = text.charCodeAt(position)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position
    position++
  }
}

/** The position after the string whose opening quote stands at `at`, or -1 when it never ends. */
export function skipString(text: string, at: number): number {
  let end = at
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end < 0) return -1
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if (((end - before) & 1) === 1) return end + 1
  }
}

/** The position after the value that begins at `at`, or -1 when it never ends, is none, or is nested too deeply. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === quote) return skipString(text, at)
  if (first === 0x7b || first === 0x5b) return skipContainer(text, at)
  let position = at
  for (;;) {
    const code = text.charCodeAt(position)
    // A letter, a digit, a sign or a dot; NaN, at the end of the text, is none of them.
    if (!(code > 0x2a && code < 0x7b && code !== 0x2c && code !== 0x5d && code !== 0x5b)) break
    position++
  }
  return position === at ? -1 : position
}

function skipContainer(text: string, at: number): number {
  let depth = 0
  let position = at
  while (position < text.length) {
    const code = text.charCodeAt(position)
    if (code === quote) {
      position = skipString(text, position)
      if (position < 0) return -1
      continue
    }
    position++
    if (code === 0x7b || code === 0x5b) {
      if (++depth > maximumDepth) return -1
    } else if (code === 0x7d || code === 0x5d) {
      if (--depth === 0) return position
    }
  }
  return -1
}
