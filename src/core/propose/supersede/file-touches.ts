import type {
  FilePatch,
  LineRange,
  ShellAction,
  ShellChange,
  ShellRead,
} from '../../words/action.ts'
import { inputFields } from '../../words/call-key.ts'
import type { Operation } from '../../words/operation.ts'

/** Lines from 1, both ends included; Infinity is the end of the file, wherever that is. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * What an operation does to one file. `write` says what the whole file is; `edit` changes it or makes an unknown change;
 * `delete` ends it.
 */
export interface FileTouch {
  readonly path: string
  readonly kind: 'read' | 'write' | 'edit' | 'delete'
  /** Lines that it shows for certain; null when none are certain. */
  readonly covers: Span | null
  /** Lines that a later read must show before this can go. */
  readonly needs: Span
}

interface FileTouches {
  readonly touches: readonly FileTouch[]
  /** True when call and result are about these files and nothing else, so that the whole of it can be replaced. */
  readonly isAll: boolean
}

/** The files that a successful operation shows or changes. */
export function touchesOf(operation: Operation): FileTouches {
  const { action } = operation
  switch (action.kind) {
    case 'read': {
      const several = showsSeveralFiles(operation)
      const covers = several ? null : spanShown(operation, action.lines)
      const needs = spanNeeded(operation, action.lines)
      return located([{ path: action.path, kind: 'read', covers, needs }], !several)
    }
    case 'write':
      return located([change(action.path, 'write')], true)
    case 'edit':
      return located([change(action.path, 'edit')], true)
    case 'patch':
      return located(action.files.flatMap(patchTouches), true)
    case 'shell':
      return shellTouches(operation, action)
    default:
      return { touches: [], isAll: false }
  }
}

/** An operation on a file that nobody named (an editor's open one) is about no file that can be followed. */
function located(touches: readonly FileTouch[], isAll: boolean): FileTouches {
  const known = touches.filter((touch) => touch.path !== '')
  return { touches: known, isAll: isAll && known.length > 0 && known.length === touches.length }
}

/** True for a read that was asked for more than one file, of which its action names only the first. */
function showsSeveralFiles({ call, reading }: Operation): boolean {
  if (reading?.lines != null) return false
  if (/(many|multiple|batch).?files/i.test(call.tool)) return true
  const fields = inputFields(call.text)
  return fields !== null && [...fields.values()].some(listsSeveral)
}

/** A pair of numbers is a range of lines. */
function listsSeveral(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1 && value.some((each) => typeof each !== 'number')
}

/** The files that a command prints and changes. Lines that it may have altered or cut count for nothing. */
function shellTouches(operation: Operation, action: ShellAction): FileTouches {
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

export const wholeFile: Span = { start: 1, end: Number.POSITIVE_INFINITY }

function change(path: string, kind: 'write' | 'edit' | 'delete'): FileTouch {
  return { path, kind, covers: kind === 'write' ? wholeFile : null, needs: wholeFile }
}

function patchTouches(file: FilePatch): readonly FileTouch[] {
  switch (file.op) {
    case 'add':
      return [change(file.path, 'write')]
    case 'delete':
      return [change(file.path, 'delete')]
    case 'update':
      return file.movedTo === null || file.movedTo === file.path
        ? [change(file.path, 'edit')]
        : [change(file.path, 'delete'), change(file.movedTo, 'edit')]
  }
}

/** Some agents stop at this many lines without a word. */
const silentLimit = 2000

/** The lines that a read shows; to the end of the file where it can only have stopped there. */
function spanShown({ reading }: Operation, asked: LineRange | null): Span | null {
  if (reading === null) return null
  const { lines, truncated } = reading
  if (lines === null) return truncated ? null : spanAsked(asked)
  const last = lines.first + lines.lines.length - 1
  const end = asked?.end ?? null
  const isCut = truncated || (end === null && lines.lines.length >= silentLimit)
  const reachesEnd = !isCut && (end === null || last < end)
  return { start: lines.first, end: reachesEnd ? Number.POSITIVE_INFINITY : last }
}

/** The lines that a read showed, as far as that is known, and else those that it was asked for. */
function spanNeeded({ reading }: Operation, asked: LineRange | null): Span {
  const lines = reading?.lines ?? null
  if (lines === null) return spanAsked(asked)
  return { start: lines.first, end: lines.first + Math.max(0, lines.lines.length - 1) }
}

function spanAsked(asked: LineRange | null): Span {
  if (asked === null) return wholeFile
  return { start: asked.start, end: asked.end ?? Number.POSITIVE_INFINITY }
}

export function isCovered(needs: Span, covers: Span | null): boolean {
  return covers !== null && covers.start <= needs.start && needs.end <= covers.end
}
