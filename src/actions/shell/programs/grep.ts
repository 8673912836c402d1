import { hasFlag, type Options, readOptions } from '../options.ts'
import { OTHER, type Output, someLines } from '../output.ts'
import { type Call, looksLikeFile, type Program, readInput } from './program.ts'

const SYNTAX = {
  short: 'efmABCdDgtTjM',
  long: [
    'regexp',
    'file',
    'max-count',
    'after-context',
    'before-context',
    'context',
    'glob',
    'iglob',
    'type',
    'type-not',
    'sort',
    'replace',
    'threads',
    'color',
    'colors',
    'max-columns',
    'max-depth',
    'include',
    'exclude',
    'exclude-dir',
  ],
}

/** Prints some lines of the named files. Searching a directory does not count as reading files. */
export const grep: Program = (call) => {
  const options = readOptions(call.args, SYNTAX)
  const named = hasFlag(options, '-e', '-f', '--regexp', '--file')
  const files = named ? options.operands : options.operands.slice(1)
  if (printsNoText(options, call)) return OTHER
  const recursive = call.name !== 'grep' && call.name !== 'egrep' && call.name !== 'fgrep'
  const searching = recursive || hasFlag(options, '-r', '-R', '--recursive')
  const readable = searching ? files.filter((field) => looksLikeFile(field.text)) : files
  if (files.length > 0 && readable.length === 0) return OTHER
  if (files.length === 0 && (call.stdin === null || call.stdin.length === 0)) return OTHER
  const input = someLines(readInput(call, readable))
  const numbered = hasFlag(options, '-n', '--line-number')
  return numbered && files.length > 0 ? input.map(withNumbers) : input
}

function printsNoText(options: Options, call: Call): boolean {
  if (hasFlag(options, '-l', '--files-with-matches', '-c', '--count', '-q', '--quiet')) return true
  return call.name === 'rg'
    ? hasFlag(options, '--files', '--count-matches')
    : hasFlag(options, '-L')
}

function withNumbers(piece: Output[number]): Output[number] {
  return piece.kind === 'file' ? { ...piece, numbered: true } : piece
}
