/** Longer patterns are refused. */
const longestPattern = 1_000
/** A compiled pattern takes time for each of its steps at every character; `(a{30}){30}` has a thousand. */
const mostSteps = 1_000

export type LinePattern =
  | { readonly kind: 'pattern'; matches(line: string): boolean }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * A pattern for lines that takes linear time on every text: a regular expression in RE2's syntax where it is one, and the
 * text itself otherwise. RE2 is loaded only when a pattern needs it.
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
    const said = error instanceof Error ? error.message : String(error)
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

/** Only compiled, never run. */
function isJavaScript(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}
