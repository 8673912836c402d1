import type { LineAddress, LineCommand } from '../../../core/words/action.ts'
import { readPattern, readReplacement, type SedDialect } from './sed-pattern.ts'

/**
 * The commands of a sed script as a line editor's, when all of them are understood: `d`, `s`, `a`, `i`, `c` and `r`, on
 * all lines, on numbered ones, or on those that a pattern finds. null for anything else.
 */
export function readLineCommands(
  scripts: readonly string[],
  dialect: SedDialect,
): readonly LineCommand[] | null {
  const commands: LineCommand[] = []
  for (const script of scripts) {
    const reader = { text: script, at: 0 }
    for (;;) {
      skip(reader, /[\s;]*/y)
      if (reader.at >= script.length) break
      const command = readCommand(reader, dialect)
      if (command === null || commands.length >= 100) return null
      commands.push(command)
    }
  }
  return commands.length === 0 ? null : commands
}

interface Reader {
  readonly text: string
  at: number
}

/** Takes what a sticky expression finds, and says it. */
function skip(reader: Reader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = reader.at
  const found = expression.exec(reader.text)
  if (found !== null) reader.at += found[0].length
  return found
}

function readCommand(reader: Reader, dialect: SedDialect): LineCommand | null {
  const on = readAddress(reader, dialect)
  if (on === null) return null
  skip(reader, /[ \t]*/y)
  const letter = reader.text[reader.at]
  reader.at++
  switch (letter) {
    case 'd':
      return ends(reader) ? { on, does: { kind: 'delete' } } : null
    case 's':
      return readSubstitution(reader, on, dialect)
    case 'a':
    case 'i':
    case 'c':
      return readText(reader, on, letter, dialect)
    case 'r': {
      const path = skip(reader, /[ \t]*([^\n;]+)/y)?.[1]?.trim()
      return path === undefined || path === '' ? null : { on, does: { kind: 'read', path } }
    }
    default:
      return null
  }
}

/** True when nothing but the end of the command follows. */
function ends(reader: Reader): boolean {
  return skip(reader, /[ \t]*(?=[;\n]|$)/y) !== null
}

function readAddress(reader: Reader, dialect: SedDialect): LineAddress | null {
  const numbers = skip(reader, /(\d+)(?:[ \t]*,[ \t]*(?:(\d+)|\+(\d+)))?(?![\d~,$])/y)
  if (numbers !== null) {
    const from = Number(numbers[1])
    const until = numbers[2] === undefined ? from + Number(numbers[3] ?? 0) : Number(numbers[2])
    // A range that ends before it begins is its first line.
    return from === 0 ? null : { kind: 'numbers', from, to: Math.max(from, until) }
  }
  const letter = reader.text[reader.at]
  if (letter !== '/') return letter === '$' || letter === '\\' ? null : { kind: 'all' }
  reader.at++
  const source = readUntil(reader, '/')
  const pattern = source === null ? null : readPattern(source, dialect)
  const flags = skip(reader, /I?/y)?.[0] === 'I' ? 'i' : ''
  // A range that begins or ends with a pattern, or an address that is turned round, is more than a place.
  if (pattern === null || /^[ \t]*[,!]/.test(reader.text.slice(reader.at))) return null
  return { kind: 'pattern', pattern, flags }
}

/** The text up to the next delimiter that no backslash stands before. */
function readUntil(reader: Reader, delimiter: string): string | null {
  let source = ''
  for (; reader.at < reader.text.length; reader.at++) {
    const character = reader.text[reader.at] as string
    if (character === delimiter) {
      reader.at++
      return source
    }
    if (character === '\\' && reader.at + 1 < reader.text.length) {
      reader.at++
      const next = reader.text[reader.at] as string
      source += next === delimiter ? next : `\\${next}`
    } else source += character
  }
  return null
}

function readSubstitution(
  reader: Reader,
  on: LineAddress,
  dialect: SedDialect,
): LineCommand | null {
  const delimiter = reader.text[reader.at]
  // Delimiters that mean something in patterns would need more care than they are worth.
  if (delimiter === undefined || !/[/|#,@!%:~_;]/.test(delimiter)) return null
  reader.at++
  const found = readUntil(reader, delimiter)
  const put = readUntil(reader, delimiter)
  if (found === null || put === null) return null
  if (delimiter === '|' && !dialect.extended && found.includes('\\|')) return null
  const flags = skip(reader, /[gI]*/y)?.[0] ?? ''
  const pattern = found === '' ? null : readPattern(found, dialect)
  const replacement = readReplacement(put, dialect)
  if (!ends(reader) || pattern === null || replacement === null) return null
  const known = `${flags.includes('g') ? 'g' : ''}${flags.includes('I') ? 'i' : ''}`
  return { on, does: { kind: 'substitute', pattern, flags: known, replacement } }
}

const kinds = { a: 'append', i: 'insert', c: 'change' } as const

/** `a text`, `a\` with the text on the next line, and GNU's `a\text`; the text goes on after a backslash. */
function readText(
  reader: Reader,
  on: LineAddress,
  letter: 'a' | 'i' | 'c',
  dialect: SedDialect,
): LineCommand | null {
  if (letter === 'c' && on.kind === 'numbers' && on.to > on.from) return null
  const start = skip(reader, /[ \t]*\\\n|[ \t]*\\(?=[^\n])|[ \t]*/y)?.[0] ?? ''
  if (dialect.bsd && !start.endsWith('\n')) return null
  const body = skip(reader, /(?:\\[\s\S]|[^\\\n])*/y)?.[0] ?? ''
  if (body === '') return null
  const text = body.replaceAll(/\\([\s\S])/g, (whole, next: string) =>
    next === '\n' || next === '\\'
      ? next
      : !dialect.bsd && next === 't'
        ? '\t'
        : !dialect.bsd && next === 'n'
          ? '\n'
          : whole.slice(1),
  )
  return { on, does: { kind: kinds[letter], lines: text.split('\n') } }
}
