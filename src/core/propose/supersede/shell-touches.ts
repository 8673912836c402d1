import type { ShellAction, ShellChange, ShellRead } from '../../words/action.ts'
import type { Operation } from '../../words/operation.ts'
import {
  change,
  type FileTouch,
  type FileTouches,
  patchTouches,
  type Span,
  spanAsked,
  spanNeeded,
  spanShown,
} from './file-touch.ts'

/** The files that a command prints and changes. Lines that it may have altered or cut count for nothing. */
export function shellTouches(operation: Operation, action: ShellAction): FileTouches {
  const isPlain = !action.continues && operation.reading?.truncated === false
  const reads = action.reads.map(
    (read): FileTouch => ({
      path: read.path,
      kind: 'read',
      covers: isPlain ? spanPrinted(operation, action, read) : null,
      needs: read.exact ? spanNeeded(operation, read.lines) : spanAsked(read.lines),
    }),
  )
  const changes = action.changes.flatMap(changeTouches)
  return {
    touches: [...changes, ...reads].filter((touch) => touch.path !== ''),
    isAll: !action.continues && isAboutFilesOnly(operation, action),
  }
}

function spanPrinted(operation: Operation, action: ShellAction, read: ShellRead): Span | null {
  if (read.lines === null) return null
  if (read.exact) return spanShown(operation, read.lines)
  return printsOnlyFiles(action.command) ? spanAsked(read.lines) : null
}

function changeTouches(made: ShellChange): readonly FileTouch[] {
  switch (made.kind) {
    case 'write':
      return [change(made.path, made.append ? 'edit' : 'write')]
    case 'change':
      return [change(made.path, 'edit')]
    case 'delete':
      return [change(made.path, 'delete')]
    case 'move':
      return [change(made.path, 'delete'), change(made.to, 'edit')]
    case 'copy':
      return [change(made.to, 'edit')]
    case 'patch':
      return made.files.flatMap(patchTouches)
    case 'unknown':
      return []
  }
}

/** What a patch tool says when it is done is longer than nothing, and no more than this for a handful of files. */
const longestConfirmation = 500

/**
 * A command can be replaced by later truth about files only if nothing else is in it: it prints files and nothing
 * besides, or it writes files and prints nothing.
 */
function isAboutFilesOnly({ reading }: Operation, action: ShellAction): boolean {
  const { reads, changes } = action
  if (changes.length === 0) {
    if (reads.length === 0 || reads.some((read) => read.lines === null)) return false
    return reads.length === 1 && reads[0]?.exact === true ? true : printsOnlyFiles(action.command)
  }
  if (reads.length > 0 || reading === null) return false
  if (changes.every((made) => made.kind === 'patch'))
    return reading.body.length <= longestConfirmation
  return changes.every(isSpelledOut) && reading.body.trim() === ''
}

function isSpelledOut(made: ShellChange): boolean {
  return made.kind === 'write' || made.kind === 'patch'
}

const printing = /^(?:cat|nl|head|tail|bat|sed\s+-n)\s+[^|<>`$()&]*$/
const silent = /^(?:cd\s+[^|<>`$()&]+|echo\s+[^|<>`$()&]*|true|:)$/

/** True when every command of the line prints a file, names the place, or separates what is printed. */
function printsOnlyFiles(command: string): boolean {
  const parts = command
    .split(/&&|;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return (
    parts.some((part) => printing.test(part)) &&
    parts.every((part) => printing.test(part) || silent.test(part))
  )
}
