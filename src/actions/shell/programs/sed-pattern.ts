import { linearRegExp } from '../../../core/files/text/linear-regexp.ts'

export interface SedDialect {
  /** True for `-E`, where brackets need no backslash. */
  readonly extended: boolean
  /** True for the sed of macOS, which knows none of GNU's escapes. */
  readonly bsd: boolean
}

const classes: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
}

/**
 * A pattern of sed in JavaScript's spelling; null where the two may find different things. Alternatives are such a case:
 * sed takes the longest, JavaScript the first.
 */
export function readPattern(source: string, dialect: SedDialect): string | null {
  let pattern = ''
  for (let at = 0; at < source.length; at++) {
    const character = source[at] as string
    if (character === '[') {
      const bracket = readBracket(source, at)
      if (bracket === null) return null
      pattern += bracket.text
      at = bracket.end
    } else if (character === '\\') {
      at++
      const escaped = readEscape(source[at], dialect)
      if (escaped === null) return null
      pattern += escaped
    } else if (
      character === '*' &&
      (pattern === '' || /(?:^|[^\\])[(^]$/.test(pattern.slice(-2)))
    ) {
      pattern += '\\*'
    } else if (character === '^') pattern += at === 0 ? '^' : '\\^'
    else if (character === '$') pattern += at === source.length - 1 ? '$' : '\\$'
    else if ('(){}+?'.includes(character))
      pattern += dialect.extended ? character : `\\${character}`
    else if (character === '|') {
      if (dialect.extended) return null
      pattern += '\\|'
    } else pattern += character === ']' || character === '/' ? `\\${character}` : character
  }
  return isPattern(pattern) ? pattern : null
}

function readEscape(next: string | undefined, { extended, bsd }: SedDialect): string | null {
  if (next === undefined || next === '|') return null
  if ('(){}'.includes(next)) return extended ? `\\${next}` : next
  if (next === '+' || next === '?') return extended ? `\\${next}` : bsd ? null : next
  if (next === '<' || next === '>') return bsd ? null : '\\b'
  if (/[bwWsStn]/.test(next)) return bsd && next !== 'n' ? null : `\\${next}`
  if (/[1-9]/.test(next)) return `\\${next}`
  return /[A-Za-z0-9'`]/.test(next) ? null : `\\${next}`
}

/** A list of characters; in it a backslash is one of them. */
function readBracket(
  source: string,
  start: number,
): { readonly text: string; readonly end: number } | null {
  let at = start + 1
  let text = '['
  if (source[at] === '^') {
    text += '^'
    at++
  }
  for (let first = true; at < source.length; at++, first = false) {
    const character = source[at] as string
    if (character === ']' && !first) return { text: `${text}]`, end: at }
    const named = /^\[:(\w+):\]/.exec(source.slice(at, at + 12))
    if (named !== null) {
      const members = classes[named[1] ?? '']
      if (members === undefined) return null
      text += members
      at += named[0].length - 1
    } else text += '\\[]^'.includes(character) ? `\\${character}` : character
  }
  return null
}

/** What stands in place of what was found; null where JavaScript cannot say it. */
export function readReplacement(source: string, { bsd }: SedDialect): string | null {
  let replacement = ''
  for (let at = 0; at < source.length; at++) {
    const character = source[at] as string
    if (character === '&') replacement += '$&'
    else if (character === '$') replacement += '$$'
    else if (character !== '\\') replacement += character
    else {
      at++
      const next = source[at]
      if (next === undefined) return null
      if (next === '0') replacement += '$&'
      else if (/[1-9]/.test(next)) replacement += `$${next}`
      else if (next === 'n' || next === 't') {
        if (bsd) return null
        replacement += next === 'n' ? '\n' : '\t'
      } else if (/[A-Za-z]/.test(next)) return null
      else replacement += next === '$' ? '$$' : next
      // A digit behind a group's number would make another number of it.
      if (/[1-9]/.test(next) && /\d/.test(source[at + 1] ?? '')) return null
    }
  }
  return replacement
}

/** True for what can be looked for in linear time. */
function isPattern(pattern: string): boolean {
  if (/[*+?{]/.test(pattern)) return linearRegExp(pattern, '') !== null
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}
