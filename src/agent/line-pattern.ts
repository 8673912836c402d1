import { errorMessage } from '../core/words/errors.ts'

/** Longer patterns are refused. */
const longestPattern = 1_000
/** Limits the time per character, which grows with the steps of the compiled pattern; `(a{30}){30}` has 1,000. */
const mostSteps = 1_000

export type LinePattern =
  | { readonly kind: 'pattern'; matches(line: string): boolean }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Matches lines in linear time: as a regular expression in RE2 syntax, or as plain text if the pattern is not one. RE2 is
 * loaded only when a pattern needs it.
 */
export async function linePattern(pattern: string): Promise<LinePattern> {
  if (pattern.length > longestPattern)
    return refused(`grep is longer than ${longestPattern} characters. Search for a shorter text.`)
  if (!/[\\^$.*+?()[\]{}|]/.test(pattern)) return plainText(pattern)
  const { RE2JS } = await import('re2js')
  try {
    const expression = RE2JS.compile(pattern)
    if (expression.programSize() > mostSteps)
      return refused('grep repeats too much. Use smaller counts, or search for a plain text.')
    return { kind: 'pattern', matches: (line) => expression.test(line) }
  } catch (error) {
    if (!isJavaScript(pattern)) return plainText(pattern)
    const said = errorMessage(error)
    return refused(
      `grep takes RE2 syntax, which has no look-around and no back-references (${said}). Write it without them, or search for a plain text.`,
    )
  }
}

function plainText(text: string): LinePattern {
  return { kind: 'pattern', matches: (line) => line.includes(text) }
}

function refused(why: string): LinePattern {
  return { kind: 'refused', why }
}

/** Whether the pattern is a valid JavaScript expression. It is never run. */
function isJavaScript(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}
