import { type Field, resolveTarget, type ShellContext } from '../context.ts'
import { OTHER, type Output } from '../output.ts'

/** A program as it was called. */
export interface Call {
  readonly name: string
  readonly args: readonly Field[]
  /** null if there is no input. */
  readonly stdin: Output | null
  readonly context: ShellContext
}

/** Records the program's changes in the call's context and returns its output. */
export type Program = (call: Call) => Output

/** The whole text of the file that a word names. */
export function readFile(context: ShellContext, field: Field): Output {
  if (field.text === '-' || field.kind === 'temporary') return OTHER
  const target = resolveTarget(context, field)
  if (target.kind === 'nowhere' || target.kind === 'unknown') return OTHER
  return [
    {
      kind: 'file',
      path: target.path,
      lines: target.kind === 'glob' ? null : { start: 1, end: null },
      numbered: false,
      faithful: target.kind === 'path',
      changesBefore: context.effects.changes.length,
    },
  ]
}

/** A filter's input: the named files, or else standard input. */
export function readInput(call: Call, operands: readonly Field[]): Output {
  if (operands.length === 0) return call.stdin ?? OTHER
  return operands.flatMap((field) =>
    field.text === '-' ? (call.stdin ?? OTHER) : readFile(call.context, field),
  )
}

const BARE_FILE_NAMES =
  /^(?:\.(?:env|git(?:ignore|attributes|modules|keep)|\w+(?:rc|ignore|config|profile)|nvmrc|node-version|tool-versions)|[A-Z]*(?:make|rake|gem|docker|proc|brew|vagrant|just|pip)file|LICEN[CS]E|README|CHANGELOG|NOTICE|CODEOWNERS|VERSION|AUTHORS|BUILD|WORKSPACE|justfile|gradlew)$/i

/** True if a word looks like a file name and not like a directory or a branch. */
export function looksLikeFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === '' || name === '.' || name === '..') return false
  return /[^.]\.[A-Za-z][\w-]*$/.test(name) || BARE_FILE_NAMES.test(name)
}
