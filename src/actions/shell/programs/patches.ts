import { posix } from 'node:path'
import type { FilePatch } from '../../../core/words/action.ts'
import { parsePatch } from '../../patch.ts'
import { type Field, joinPath, resolveTarget, type ShellContext } from '../context.ts'
import { hasFlag, optionValue, readOptions } from '../options.ts'
import { knownText, OTHER, type Output } from '../output.ts'
import { recallText, recordChange, recordPath } from '../record.ts'
import type { Call, Program } from './program.ts'

/** `apply_patch`, with the patch as its argument or on its standard input. */
const applyPatch: Program = (call) => {
  const argument = call.args.find((field) => !field.text.startsWith('-'))
  if (argument?.kind === 'literal' && argument.text.includes('*** ')) {
    recordPatch(call.context, argument.text)
  } else if (argument !== undefined && looksLikePath(argument)) applyFile(call, argument)
  else recordPatch(call.context, textOf(call.stdin))
  return OTHER
}

/** `patch [-p1] [file] < diff`. */
const patch: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'pidoFrBYVz',
    long: ['strip', 'input', 'directory', 'output', 'fuzz', 'reject-file'],
  })
  if (hasFlag(options, '--dry-run', '--version', '--help')) return OTHER
  const directory = optionValue(options, '-d', '--directory')
  const context = directory === null ? call.context : below(call.context, directory)
  const input = optionValue(options, '-i', '--input') ?? options.operands[1]
  const file = options.operands[0]
  if (file !== undefined) recordPath(context, file)
  else if (input !== undefined) applyFile({ ...call, context }, input)
  else recordPatch(context, textOf(call.stdin), { reverse: hasFlag(options, '-R', '--reverse') })
  return OTHER
}

/** `git apply`: the named patch files, or standard input. */
export function gitApply(call: Call, args: readonly Field[]): Output {
  const options = readOptions(args, {
    short: 'pC',
    long: ['directory', 'exclude', 'include', 'whitespace'],
  })
  const looks = hasFlag(options, '--check', '--stat', '--numstat', '--summary')
  if ((looks && !hasFlag(options, '--apply')) || hasFlag(options, '--cached')) return OTHER
  const directory = optionValue(options, '--directory')
  const context = directory === null ? call.context : below(call.context, directory)
  const reverse = hasFlag(options, '-R', '--reverse')
  const files = options.operands.filter((field) => field.text !== '-')
  if (files.length === 0) recordPatch(context, textOf(call.stdin), { reverse })
  for (const file of files) applyFile({ ...call, context }, file, { reverse })
  return OTHER
}

/** Applies a patch file. Its text is known only if this command wrote it. */
function applyFile(call: Call, field: Field, options = { reverse: false }): void {
  const target = resolveTarget(call.context, field)
  const text = target.kind === 'path' ? recallText(call.context, target.path) : undefined
  recordPatch(call.context, text ?? null, options)
}

function recordPatch(
  context: ShellContext,
  text: string | null,
  options = { reverse: false },
): void {
  const files = text === null ? [] : parsePatch(text).map((file) => rebase(context, file))
  const known = files.filter((file) => file !== null)
  if (known.length === 0 || known.length < files.length) {
    recordChange(context, { kind: 'unknown' })
    return
  }
  if (!options.reverse) {
    recordChange(context, { kind: 'patch', files: known })
    return
  }
  for (const file of known) recordChange(context, { kind: 'change', path: file.path })
}

function rebase(context: ShellContext, file: FilePatch): FilePatch | null {
  const path = joinPath(context.directory, file.path)
  if (path === null) return null
  if (file.op !== 'update') return { ...file, path }
  return {
    ...file,
    path,
    movedTo: file.movedTo === null ? null : joinPath(context.directory, file.movedTo),
  }
}

/** The same context seen from another directory. */
export function below(context: ShellContext, directory: Field): ShellContext {
  const known = directory.kind === 'literal' ? joinPath(context.directory, directory.text) : null
  return { ...context, directory: known === null || known === '.' ? known : posix.normalize(known) }
}

function textOf(stdin: Output | null): string | null {
  return stdin === null ? null : knownText(stdin)
}

function looksLikePath(field: Field): boolean {
  return !/[\n*]/.test(field.text)
}

export const PATCH_PROGRAMS: readonly (readonly [string, Program])[] = [
  ['apply_patch', applyPatch],
  ['applypatch', applyPatch],
  ['patch', patch],
]
