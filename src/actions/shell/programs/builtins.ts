import { posix } from 'node:path'
import { type Field, joinPath, type ShellContext, TEMPORARY_DIRECTORY } from '../context.ts'
import { OTHER, type Output, SILENT } from '../output.ts'
import { forgetVariable, setPositional } from '../variables.ts'
import type { Program } from './program.ts'

const cd: Program = (call) => {
  const target = call.args.find((field) => !/^-[LPe@]+$|^--$/.test(field.text))
  changeDirectory(call.context, target)
  return target?.text === '-' || call.name !== 'cd' ? OTHER : SILENT
}

function changeDirectory(context: ShellContext, target: Field | undefined): void {
  const before = context.directory
  if (target === undefined) context.directory = '~'
  else if (target.text === '-') context.directory = context.previousDirectory
  else if (target.kind === 'temporary') context.directory = TEMPORARY_DIRECTORY
  else if (target.kind !== 'literal') context.directory = null
  else {
    const joined = joinPath(before, target.text)
    const normal = joined === null ? null : posix.normalize(joined).replace(/(?<=.)\/$/, '')
    context.directory = normal === '.' ? '' : normal
  }
  context.previousDirectory = before
}

const popd: Program = (call) => {
  call.context.directory = call.context.previousDirectory
  return OTHER
}

/** The values of the variables are unknown after `read` and similar commands. */
const read: Program = (call) => {
  for (const field of call.args) {
    if (/^[A-Za-z_]\w*$/.test(field.text)) forgetVariable(call.context.scope, field.text)
  }
  return SILENT
}

/** `set -x` prints every command on standard error; `set -- a b` sets positional parameters. */
const set: Program = (call): Output => {
  const dashes = call.args.findIndex((field) => field.text === '--')
  if (dashes !== -1) setPositional(call.context.scope, call.args.slice(dashes + 1))
  return call.args.some((field) => /^-\w*[xv]|^xtrace$|^verbose$/.test(field.text)) ? OTHER : SILENT
}

const silent: Program = () => SILENT

const SILENT_NAMES = [
  ':',
  'true',
  'false',
  'test',
  '[',
  'mkdir',
  'rmdir',
  'chmod',
  'chown',
  'sleep',
  'export',
  'declare',
  'local',
  'readonly',
  'typeset',
  'unset',
  'shopt',
  'umask',
  'ulimit',
  'trap',
  'shift',
  'exit',
  'return',
  'wait',
  'setopt',
] as const

export const BUILTINS: readonly (readonly [string, Program])[] = [
  ['cd', cd],
  ['chdir', cd],
  ['pushd', cd],
  ['popd', popd],
  ['read', read],
  ['mapfile', read],
  ['readarray', read],
  ['getopts', read],
  ['set', set],
  ...SILENT_NAMES.map((name) => [name, silent] as const),
]
