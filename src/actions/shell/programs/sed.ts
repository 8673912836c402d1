import { hasFlag, type Options, readOptions } from '../options.ts'
import { OTHER, type Output, reworded, SILENT, selectLines, someLines } from '../output.ts'
import { recordPath } from '../record.ts'
import { type Call, type Program, readInput } from './program.ts'
import { readSedScript } from './sed-script.ts'

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
