/** Replace `{` and `[` during parsing. Single code units, so positions stay the same. */
const BRACE_MARK = '\uE0B1'
const BRACKET_MARK = '\uE0B2'
/** Real commands have far fewer, but minified text in a heredoc may have more. */
const MOST_OPEN = 500

/**
 * The parser takes quadratic time for words with many open braces, so the braces of such commands are masked. null if
 * they cannot be masked.
 */
export function maskBraces(command: string): string | null {
  const brackets = command.split('$[').length > MOST_OPEN
  if (!brackets && !hasDeepWord(command)) return command
  if (command.includes(BRACE_MARK) || command.includes(BRACKET_MARK)) return null
  return command.replaceAll('{', BRACE_MARK).replaceAll('$[', `$${BRACKET_MARK}`)
}

/** Restores the braces in the parse result of a masked command. */
export function unmaskBraces<T>(value: T): T {
  return unmask(value) as T
}

function unmask(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(BRACE_MARK, '{').replaceAll(BRACKET_MARK, '[')
  }
  if (Array.isArray(value)) return value.map(unmask)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unmask(inner)]))
}

function hasDeepWord(command: string): boolean {
  let open = 0
  for (let at = 0; at < command.length; at++) {
    const code = command.charCodeAt(at)
    if (code === 0x7b) open++
    else if (code === 0x7d && open > 0) open--
    else if (code === 0x20 || code === 0x0a || code === 0x09) open = 0
    if (open > MOST_OPEN) return true
  }
  return false
}
