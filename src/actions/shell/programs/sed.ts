import type { LineCommand } from '../../../core/words/action.ts'
import { type Field, joinPath, resolveTarget } from '../context.ts'
import { hasFlag, type Options, readOptions } from '../options.ts'
import { OTHER, type Output, reworded, SILENT, selectLines, someLines } from '../output.ts'
import { recordChange, recordPath } from '../record.ts'
import { type Call, type Program, readInput } from './program.ts'
import { readLineCommands } from './sed-commands.ts'
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
    const bsd = args.length < call.args.length
    const plain = !unknown && !hasFlag(options, '-n', '-z', '-s', '--quiet', '--silent')
    const extended = hasFlag(options, '-E', '-r', '--regexp-extended')
    const commands = plain ? readLineCommands(scripts, { extended, bsd }) : null
    for (const file of files) recordScript(call, file, commands)
    return SILENT
  }
  const input = readInput(call, files)
  const quiet = hasFlag(options, '-n', '--quiet', '--silent')
  if (unknown || hasFlag(options, '-z', '-s', '--null-data', '--separate')) return someLines(input)
  return select(input, scripts.join('\n'), { quiet })
}

/** Changes a file by a script that is understood, or else somehow. */
function recordScript(call: Call, field: Field, commands: readonly LineCommand[] | null): void {
  const { context } = call
  const target = resolveTarget(context, field)
  if (commands === null || target.kind !== 'path') {
    recordPath(context, field)
    return
  }
  const script = commands.map((command): LineCommand => {
    if (command.does.kind !== 'read') return command
    const path = joinPath(context.directory, command.does.path) ?? command.does.path
    return { ...command, does: { kind: 'read', path } }
  })
  recordChange(context, { kind: 'change', path: target.path, script })
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
