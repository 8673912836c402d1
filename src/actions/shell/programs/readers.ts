import type { Field } from '../context.ts'
import { hasFlag, type Options, optionValue, readOptions } from '../options.ts'
import { numberLines, OTHER, type Output, reworded, selectLines, someLines } from '../output.ts'
import { type Call, type Program, readInput } from './program.ts'

const cat: Program = (call) => {
  const options = readOptions(call.args)
  const input = readInput(call, options.operands)
  if (hasFlag(options, '-A', '-E', '-T', '-e', '-t', '-v', '-s', '--show-all', '--squeeze-blank')) {
    return reworded(input)
  }
  if (hasFlag(options, '-b', '--number-nonblank')) return reworded(numberLines(input, 1))
  return hasFlag(options, '-n', '--number') ? numberLines(input, 1) : input
}

/** `nl` does not count blank lines without `-ba`, so only then its numbers are line numbers. */
const nl: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'bdfhilnsvw',
    long: ['body-numbering', 'number-separator', 'starting-line-number', 'number-width'],
  })
  const first = Number(optionValue(options, '-v', '--starting-line-number')?.text ?? 1)
  const numbered = numberLines(readInput(call, options.operands), first)
  const all = optionValue(options, '-b', '--body-numbering')?.text === 'a'
  const separator = optionValue(options, '-s', '--number-separator')?.text ?? '\t'
  const plain = !hasFlag(options, '-i', '-d', '-f', '-h') && /^(?:\t|: |\||→)$/.test(separator)
  return all && plain ? numbered : reworded(numbered)
}

const head: Program = (call) => {
  const { options, count } = readCount(call.args, { short: 'nc', long: ['lines', 'bytes'] })
  const input = titled(readInput(call, options.operands), options)
  if (hasFlag(options, '-c', '--bytes')) return someLines(input)
  if (count === null) return selectLines(input, 1, 10)
  return /^\d+$/.test(count) && Number(count) > 0
    ? selectLines(input, 1, Number(count))
    : someLines(input)
}

/** The lines are known only for `tail -n +K`; otherwise they depend on the file's length. */
const tail: Program = (call) => {
  const glued = call.args.find((field) => /^\+\d+$/.test(field.text))
  const { options, count } = readCount(call.args, { short: 'nc', long: ['lines', 'bytes'] })
  const named = options.operands.filter((field) => field !== glued)
  const input = titled(readInput(call, named), options)
  const from = count ?? glued?.text ?? ''
  if (hasFlag(options, '-c', '--bytes') || !/^\+\d+$/.test(from)) return someLines(input)
  return selectLines(input, Math.max(1, Number(from.slice(1))), null)
}

const pager: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'lprjPxyzHm',
    long: ['language', 'line-range', 'style', 'theme', 'paging', 'highlight-line', 'color', 'wrap'],
  })
  const input = readInput(call, options.operands)
  if (call.name === 'less' || call.name === 'more') {
    return hasFlag(options, '-N')
      ? reworded(numberLines(input, 1))
      : readInput(call, pagerFiles(call))
  }
  return bat(input, options)
}

function bat(input: Output, options: Options): Output {
  const ranges = [
    ...(options.values.get('-r') ?? []),
    ...(options.values.get('--line-range') ?? []),
  ]
  const range = ranges.length === 1 ? /^(\d+)?:(\d+)?$/.exec(ranges[0]!.text) : null
  let shown = input
  if (range !== null && (range[1] ?? range[2]) !== undefined) {
    shown = selectLines(
      input,
      Number(range[1] ?? 1),
      range[2] === undefined ? null : Number(range[2]),
    )
  } else if (ranges.length > 0) shown = someLines(input)
  const decorated = hasFlag(
    options,
    '-n',
    '--number',
    '-A',
    '--show-all',
    '--style',
    '--decorations',
  )
  const color = optionValue(options, '--color')?.text
  return decorated || color === 'always' ? reworded(shown) : shown
}

function pagerFiles(call: Call): readonly Field[] {
  return call.args.filter((field) => !/^[-+]./.test(field.text))
}

/** Prints the text of its input in another order or form. */
const rephrase: Program = (call) => {
  const syntax = { short: 'dfkostwcnbmST', long: ['key', 'output', 'fields', 'delimiter', 'arg'] }
  const options = readOptions(call.args, syntax)
  return someLines(readInput(call, options.operands))
}

/** The first operand is the program's own expression, not a file. */
const query: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'L',
    long: ['arg', 'argjson', 'indent', 'slurpfile'],
  })
  const values = new Set(['--arg', '--argjson', '--slurpfile'])
  // `--arg name value` takes two words, but readOptions handles only the first.
  const extra = call.args.filter((field) => values.has(field.text)).length
  return someLines(readInput(call, options.operands.slice(1 + extra)))
}

/** Alters its standard input, so line numbers are lost. */
const transform: Program = (call) => (call.stdin === null ? OTHER : someLines(call.stdin))

/** Prints a summary instead of its input. */
const summarise: Program = () => OTHER

/** Reads a line count, also in the form `-50`, which is not a getopt option. */
function readCount(
  args: readonly Field[],
  syntax: Parameters<typeof readOptions>[1],
): { readonly options: Options; readonly count: string | null } {
  const glued = args.find(
    (field, index) => /^-\d+$/.test(field.text) && !/^-[nc]$/.test(args[index - 1]?.text ?? ''),
  )
  const options = readOptions(
    args.filter((field) => field !== glued),
    syntax,
  )
  const value = optionValue(options, '-n', '--lines')
  if (value !== null) return { options, count: value.kind === 'literal' ? value.text : '' }
  return { options, count: glued === undefined ? null : glued.text.slice(1) }
}

/** `head` and `tail` print a title above each of several files, or above one with `-v`. */
function titled(input: Output, options: Options): Output {
  return hasFlag(options, '-v', '--verbose') ? reworded(input) : input
}

export const READERS: readonly (readonly [string, Program])[] = [
  ['cat', cat],
  ['nl', nl],
  ['head', head],
  ['tail', tail],
  ['less', pager],
  ['more', pager],
  ['bat', pager],
  ['batcat', pager],
  ['uniq', rephrase],
  ['cut', rephrase],
  ['tac', rephrase],
  ['rev', rephrase],
  ['fold', rephrase],
  ['column', rephrase],
  ['expand', rephrase],
  ['jq', query],
  ['tr', transform],
  ['wc', summarise],
]
