import { posix } from 'node:path'
import type { ShellChange } from '../../../core/words/action.ts'
import { type Field, resolveTarget } from '../context.ts'
import { hasFlag, optionValue, readOptions } from '../options.ts'
import { OTHER, type Output, SILENT } from '../output.ts'
import { recordChange, recordPath } from '../record.ts'
import { type Call, looksLikeFile, type Program } from './program.ts'

const remove: Program = (call) => {
  const options = readOptions(call.args)
  for (const field of options.operands) {
    const target = resolveTarget(call.context, field)
    if (target.kind === 'path') recordChange(call.context, { kind: 'delete', path: target.path })
    else if (target.kind !== 'nowhere') recordChange(call.context, { kind: 'unknown' })
  }
  return hasFlag(options, '-v', '-i') ? OTHER : SILENT
}

const move: Program = (call) => transfer(call, 'move')
const copy: Program = (call) => transfer(call, 'copy')

/** `mv` and `cp`: the sources, then a file or a directory. */
export function transfer(call: Call, kind: 'move' | 'copy'): Output {
  const options = readOptions(call.args, {
    short: 'tSmog',
    long: ['target-directory', 'suffix', 'mode'],
  })
  const directory = optionValue(options, '-t', '--target-directory')
  const sources = directory === null ? options.operands.slice(0, -1) : options.operands
  const last = directory ?? options.operands.at(-1)
  if (last === undefined || sources.length === 0) return SILENT
  for (const source of sources) {
    const asDirectory = directory !== null || sources.length > 1 || isDirectoryName(last.text)
    if (asDirectory) transferOne(call, kind, source, { ...last, text: inside(last.text, source) })
    else if (looksLikeFile(source.text) && !looksLikeFile(last.text) && last.kind === 'literal') {
      // `mv a.ts lib`: `lib` is probably a directory, but may be a file.
      transferOne(call, kind, source, { ...last, text: inside(last.text, source) })
      recordPath(call.context, last)
    } else transferOne(call, kind, source, last)
  }
  return hasFlag(options, '-v', '--verbose') ? OTHER : SILENT
}

function transferOne(call: Call, kind: 'move' | 'copy', source: Field, destination: Field): void {
  const { context } = call
  const from = resolveTarget(context, source)
  const to = resolveTarget(context, destination)
  if (from.kind === 'path' && to.kind === 'path') {
    const change: ShellChange = { kind, path: from.path, to: to.path }
    recordChange(context, change)
    return
  }
  if (from.kind === 'path' && kind === 'move' && to.kind === 'nowhere') {
    recordChange(context, { kind: 'delete', path: from.path })
    return
  }
  if (kind === 'move' && from.kind !== 'nowhere' && from.kind !== 'path') {
    recordChange(context, { kind: 'unknown' })
    return
  }
  if (kind === 'move' && from.kind === 'path')
    recordChange(context, { kind: 'delete', path: from.path })
  if (source.kind === 'glob') recordChange(context, { kind: 'unknown' })
  else recordPath(context, destination)
}

function isDirectoryName(path: string): boolean {
  return path.endsWith('/') || /(?:^|\/)\.{1,2}$/.test(path)
}

function inside(directory: string, source: Field): string {
  return posix.join(directory, posix.basename(source.text))
}

/** Creates or changes every operand. */
const changeOperands: Program = (call) => {
  const options = readOptions(call.args, { short: 'srdt', long: ['size', 'reference', 'date'] })
  for (const field of options.operands) recordPath(call.context, field)
  return SILENT
}

const link: Program = (call) => {
  const { operands } = readOptions(call.args, { short: 'tS' })
  const [source, name] = operands
  if (operands.length === 2 && source !== undefined && name !== undefined) {
    const text = isDirectoryName(name.text) ? inside(name.text, source) : name.text
    recordPath(call.context, { ...name, text })
  } else if (source !== undefined) {
    recordPath(call.context, { ...source, text: posix.basename(source.text) })
  }
  return SILENT
}

const installFiles: Program = (call) => {
  const options = readOptions(call.args)
  return hasFlag(options, '-d', '--directory') ? SILENT : transfer(call, 'copy')
}

export const FILE_PROGRAMS: readonly (readonly [string, Program])[] = [
  ['rm', remove],
  ['unlink', remove],
  ['trash', remove],
  ['mv', move],
  ['cp', copy],
  ['ln', link],
  ['install', installFiles],
  ['touch', changeOperands],
  ['truncate', changeOperands],
  ['shred', changeOperands],
]
