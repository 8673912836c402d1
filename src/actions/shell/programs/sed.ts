import type { LineRange } from '../../../core/words/action.ts'
import { hasFlag, type Options, readOptions } from '../options.ts'
import { OTHER, type Output, reworded, SILENT, selectLines, someLines } from '../output.ts'
import { recordPath } from '../record.ts'
import { type Call, type Program, readInput } from './program.ts'

export const sed: Program = (call) => {
  const args = withoutEmptySuffix(call)
  // `-i` may carry a backup suffix glued to it, so it takes the rest of its word but never the next one.
  const inPlace = args.some((field) => /^-[nErsuz]*i|^--in-place/.test(field.text))
  const options = readOptions(
    args.map((field) => ({ ...field, text: field.text.replace(/^(-[nErsuz]*i).*$/, '$1') })),
    { short: 'efl', long: ['expression', 'file', 'line-length'] },
  )
  const { scripts, files, unknown } = readScripts(options)
  if (inPlace) {
    for (const file of files) recordPath(call.context, file)
    return SILENT
  }
  const input = readInput(call, files)
  const quiet = hasFlag(options, '-n', '--quiet', '--silent')
  if (unknown || hasFlag(options, '-z', '-s', '--null-data', '--separate')) return someLines(input)
  return select(input, scripts.join('\n'), { quiet })
}

/** BSD's `sed -i '' script file`: the suffix is a word of its own, and empty. */
function withoutEmptySuffix(call: Call): Call['args'] {
  return call.args.filter(
    (field, index) => field.text !== '' || !/^-[nErsuz]*i$/.test(call.args[index - 1]?.text ?? ''),
  )
}

function readScripts(options: Options): {
  readonly scripts: readonly string[]
  readonly files: Options['operands']
  readonly unknown: boolean
} {
  const given = [...(options.values.get('-e') ?? []), ...(options.values.get('--expression') ?? [])]
  const fromFile = hasFlag(options, '-f', '--file')
  const inline = given.length === 0 && !fromFile
  const scripts = inline ? options.operands.slice(0, 1) : given
  return {
    scripts: scripts.map((field) => field.text),
    files: inline ? options.operands.slice(1) : options.operands,
    unknown: fromFile || scripts.some((field) => field.kind === 'unknown'),
  }
}

function select(input: Output, script: string, options: { readonly quiet: boolean }): Output {
  const selection = readSedScript(script, options)
  switch (selection.kind) {
    case 'all':
      return input
    case 'some':
      return someLines(input)
    case 'altered':
      return reworded(someLines(input))
    case 'ranges':
      if (input.every((piece) => piece.kind === 'other')) return OTHER
      return selection.ranges.flatMap((range) => selectLines(input, range.start, range.end))
  }
}

/**
 * The lines that a sed script prints. `all`: the text unaltered. `ranges`: those lines unaltered, in the order of the
 * text. `some`: lines that depend on the text. `altered`: every line, but not as it was.
 */
type SedSelection =
  | { readonly kind: 'all' }
  | { readonly kind: 'ranges'; readonly ranges: readonly LineRange[] }
  | { readonly kind: 'some' }
  | { readonly kind: 'altered' }

/** Reads the scripts that address lines by number; anything more clever is `some` or `altered`. */
function readSedScript(script: string, options: { readonly quiet: boolean }): SedSelection {
  const unclear: SedSelection = options.quiet ? { kind: 'some' } : { kind: 'altered' }
  if (script.length > 2_000) return unclear
  const commands = script
    .split(/[;\n]/)
    .map((command) => command.trim())
    .filter((command) => command !== '')
  if (commands.length === 0) return options.quiet ? { kind: 'ranges', ranges: [] } : { kind: 'all' }
  const printed: LineRange[] = []
  let quit: number | null = null
  for (const command of commands) {
    const end = /^(\d+)\s*(?:q|\{\s*q\s*\}?)$/.exec(command)
    if (end !== null) {
      quit = Number(end[1])
      continue
    }
    if (command === '}') continue
    const range = options.quiet ? printCommand(command) : deleteCommand(command)
    if (range === null) return unclear
    printed.push(range)
  }
  if (options.quiet) return { kind: 'ranges', ranges: cutAt(printed, quit) }
  if (printed.length === 0) return { kind: 'ranges', ranges: [{ start: 1, end: quit }] }
  return printed.length === 1 ? { kind: 'ranges', ranges: cutAt(printed, quit) } : unclear
}

/** `10,20p`, `10p`, `10,$p`, `10,+5p`, `10,20{p}`, `p`. */
function printCommand(command: string): LineRange | null {
  const match = /^(.*?)\s*(?:p|\{\s*p\s*;?\s*\}?)$/.exec(command)
  return match === null ? null : readAddress(match[1]!)
}

/** `10,20!d` keeps those lines; `21,$d` keeps those before. */
function deleteCommand(command: string): LineRange | null {
  const kept = /^(.*?)\s*!\s*d$/.exec(command)
  if (kept !== null && kept[1] !== '') return readAddress(kept[1]!)
  const rest = /^(\d+)\s*,\s*\$\s*d$/.exec(command)
  if (rest !== null && Number(rest[1]) > 1) return { start: 1, end: Number(rest[1]) - 1 }
  const top = /^1\s*,\s*(\d+)\s*d$/.exec(command)
  return top === null ? null : { start: Number(top[1]) + 1, end: null }
}

function readAddress(address: string): LineRange | null {
  if (address === '') return { start: 1, end: null }
  const match = /^(\d+)(?:\s*,\s*(?:(\d+)|\+(\d+)|(\$)))?$/.exec(address)
  if (match === null) return null
  const [, first, last, more, toEnd] = match
  const start = Number(first)
  if (start === 0) return null
  if (toEnd !== undefined) return { start, end: null }
  if (more !== undefined) return { start, end: start + Number(more) }
  return { start, end: last === undefined ? start : Math.max(start, Number(last)) }
}

function cutAt(ranges: readonly LineRange[], quit: number | null): readonly LineRange[] {
  if (quit === null) return ranges
  return ranges
    .filter((range) => range.start <= quit)
    .map((range) => ({ start: range.start, end: Math.min(range.end ?? quit, quit) }))
}
