import type { Action, FilePatch, LineRange, ShellAction, ShellChange, ShellRead } from './action.ts'
import { inputFields } from './call-key.ts'
import type { Operation } from './operation.ts'

/** Lines from 1, both ends included; `end: Infinity` means to the end of the file. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const wholeFile: Span = { start: 1, end: Number.POSITIVE_INFINITY }

/** One change of one file, as stated in the call. */
export interface FileChange {
  /** `write` sets the whole text. */
  readonly kind: 'write' | 'edit' | 'delete' | 'move' | 'copy'
  readonly path: string
  /** The new path of a move, or the path of a copy. */
  readonly to: string | null
}

/** The effect of an operation on one file. A move is two: it deletes one file and edits another. */
export interface FileTouch {
  readonly path: string
  readonly kind: 'read' | 'write' | 'edit' | 'delete'
  /** Lines that it certainly shows; null when there are none. */
  readonly covers: Span | null
  /** Lines that a later read must show before this operation can be removed. */
  readonly needs: Span
}

/** Which files an operation reads and changes. */
export interface Effects {
  /** Every path in the call, in order, including the folders of searches. */
  readonly named: readonly string[]
  readonly changes: readonly FileChange[]
  /** True when the call may change files that it does not name. */
  readonly changesUnnamed: boolean
  /** Per file, changes before reads. Operations on an editor's open file without a path are left out. */
  readonly touches: readonly FileTouch[]
  /** True when call and result contain nothing but these files, so that a newer state of them replaces everything. */
  readonly isOnlyFiles: boolean
}

type Completed = Omit<Operation, 'effects'>

export function withEffects(operation: Completed): Operation {
  return { ...operation, effects: effectsOf(operation) }
}

function effectsOf(operation: Completed): Effects {
  const { action, call } = operation
  const changes = changesOf(action)
  const touches = [...changes.flatMap(touchesOfChange), ...readTouches(operation)]
  const known = touches.filter(({ path }) => path !== '')
  return {
    named: action.kind === 'other' ? pathsInInput(call.text) : namedPaths(action, changes),
    changes,
    changesUnnamed: changesUnnamed(action),
    touches: known,
    isOnlyFiles: isOnlyFiles(operation, known.length > 0 && known.length === touches.length),
  }
}

/** The files that a call prints. */
export function readPaths(action: Action): readonly string[] {
  if (action.kind === 'read') return [action.path]
  return action.kind === 'shell' ? action.reads.map(({ path }) => path) : []
}

/** The changes that a call makes to files it names. */
export function changesOf(action: Action): readonly FileChange[] {
  switch (action.kind) {
    case 'write':
    case 'edit':
      return [{ kind: action.kind, path: action.path, to: null }]
    case 'patch':
      return action.files.map(patchChange)
    case 'shell':
      return action.changes.flatMap(shellChanges)
    default:
      return []
  }
}

function patchChange(file: FilePatch): FileChange {
  const { path } = file
  if (file.op === 'add') return { kind: 'write', path, to: null }
  if (file.op === 'delete') return { kind: 'delete', path, to: null }
  const isMoved = file.movedTo !== null && file.movedTo !== path
  return isMoved ? { kind: 'move', path, to: file.movedTo } : { kind: 'edit', path, to: null }
}

/** The file changes that one part of a command states; none for an unknown effect. */
function shellChanges(change: ShellChange): readonly FileChange[] {
  switch (change.kind) {
    case 'write':
      return [{ kind: change.append ? 'edit' : 'write', path: change.path, to: null }]
    case 'change':
      return [{ kind: 'edit', path: change.path, to: null }]
    case 'delete':
      return [{ kind: 'delete', path: change.path, to: null }]
    case 'move':
    case 'copy':
      return [{ kind: change.kind, path: change.path, to: change.to }]
    case 'patch':
      return change.files.map(patchChange)
    case 'unknown':
      return []
  }
}

/** The files that a call changes, and says so. */
export function changedPathsOf(action: Action): readonly string[] {
  return changesOf(action).flatMap(({ path, to }) => (to === null ? [path] : [path, to]))
}

/** The files that a change modifies. */
export function changedFiles({ kind, path, to }: FileChange): readonly string[] {
  if (to === null) return [path]
  return kind === 'copy' ? [to] : [path, to]
}

/** The files that one part of a command modifies; none for an unknown effect. */
export function changedPaths(change: ShellChange): readonly string[] {
  return shellChanges(change).flatMap(changedFiles)
}

function changesUnnamed(action: Action): boolean {
  if (action.kind === 'task') return true
  return action.kind === 'shell' && action.changes.some(({ kind }) => kind === 'unknown')
}

function namedPaths(action: Action, changes: readonly FileChange[]): readonly string[] {
  if (action.kind === 'search' || action.kind === 'glob') {
    return action.path === null ? [] : [action.path]
  }
  const changed = changes.flatMap(({ path, to }) => (to === null ? [path] : [path, to]))
  return [...readPaths(action), ...changed]
}

const pathKeys = /^(?:(?:file|absolute|relative|target|notebook)?path|file(?:name|uri)?|uri)$/

/** For an unknown tool: the input fields whose key looks like a path's. */
function pathsInInput(text: string): readonly string[] {
  return [...(inputFields(text) ?? [])].flatMap(([key, value]) =>
    typeof value === 'string' && pathKeys.test(key.replaceAll(/\d/g, '')) ? [value] : [],
  )
}

function touchesOfChange({ kind, path, to }: FileChange): readonly FileTouch[] {
  switch (kind) {
    case 'move':
      return [touch(path, 'delete'), touch(to ?? '', 'edit')]
    case 'copy':
      return [touch(to ?? '', 'edit')]
    default:
      return [touch(path, kind)]
  }
}

function touch(path: string, kind: 'write' | 'edit' | 'delete'): FileTouch {
  return { path, kind, covers: kind === 'write' ? wholeFile : null, needs: wholeFile }
}

function readTouches(operation: Completed): readonly FileTouch[] {
  const { action, reading } = operation
  if (action.kind === 'read') {
    const covers = showsSeveralFiles(operation) ? null : spanShown(operation, action.lines)
    const needs = spanNeeded(operation, action.lines)
    return [{ path: action.path, kind: 'read', covers, needs }]
  }
  if (action.kind !== 'shell') return []
  // Output that a command may have altered or cut does not prove that a line was shown.
  const isPlain = !action.continues && reading?.truncated === false
  return action.reads.map((read) => ({
    path: read.path,
    kind: 'read',
    covers: isPlain ? spanPrinted(operation, action, read) : null,
    needs: read.exact ? spanNeeded(operation, read.lines) : spanAsked(read.lines),
  }))
}

/** True for a read of more than one file; its action has only the first path. */
function showsSeveralFiles({ call, reading }: Completed): boolean {
  if (reading?.lines != null) return false
  if (/(many|multiple|batch).?files/i.test(call.tool)) return true
  const values = [...(inputFields(call.text)?.values() ?? [])]
  // A pair of numbers is a range of lines.
  return values.some(
    (value) =>
      Array.isArray(value) && value.length > 1 && value.some((each) => typeof each !== 'number'),
  )
}

function spanPrinted(operation: Completed, action: ShellAction, read: ShellRead): Span | null {
  if (read.lines === null) return null
  if (read.exact) return spanShown(operation, read.lines)
  return printsOnlyFiles(action.command) ? spanAsked(read.lines) : null
}

/** Some agents cut reads at this many lines without saying so. */
const silentLimit = 2000

/** The lines that a read shows; to the end of the file when nothing else can have stopped it. */
function spanShown({ reading }: Completed, asked: LineRange | null): Span | null {
  if (reading === null) return null
  const { lines, truncated } = reading
  if (lines === null) return truncated ? null : spanAsked(asked)
  const last = lines.first + lines.lines.length - 1
  const end = asked?.end ?? null
  const isCut = truncated || (end === null && lines.lines.length >= silentLimit)
  const reachesEnd = !isCut && (end === null || last < end)
  return { start: lines.first, end: reachesEnd ? Number.POSITIVE_INFINITY : last }
}

/** The lines that a read showed if known, else the requested ones. */
function spanNeeded({ reading }: Completed, asked: LineRange | null): Span {
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

function isOnlyFiles(operation: Completed, areAllNamed: boolean): boolean {
  const { action } = operation
  switch (action.kind) {
    case 'read':
      return areAllNamed && !showsSeveralFiles(operation)
    case 'write':
    case 'edit':
    case 'patch':
      return areAllNamed
    case 'shell':
      return !action.continues && isCommandOnFilesOnly(operation, action)
    default:
      return false
  }
}

/** A patch tool's success message for a few files is at most this long. */
const longestConfirmation = 500

/** True for a command that prints only files, or writes files and prints nothing. */
function isCommandOnFilesOnly({ reading }: Completed, action: ShellAction): boolean {
  const { reads, changes } = action
  if (changes.length === 0) {
    if (reads.length === 0 || reads.some((read) => read.lines === null)) return false
    return (reads.length === 1 && reads[0]?.exact === true) || printsOnlyFiles(action.command)
  }
  if (reads.length > 0 || reading === null) return false
  if (changes.every(({ kind }) => kind === 'patch'))
    return reading.body.length <= longestConfirmation
  const areSpelledOut = changes.every(({ kind }) => kind === 'write' || kind === 'patch')
  return areSpelledOut && reading.body.trim() === ''
}

const printing = /^(?:cat|nl|head|tail|bat|sed\s+-n)\s+[^|<>`$()&]*$/
const silent = /^(?:cd\s+[^|<>`$()&]+|echo\s+[^|<>`$()&]*|true|:)$/

/** True when every command in the line prints a file, changes the folder, or prints a separator. */
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
