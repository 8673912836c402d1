import type { PatchHunk } from '../../words/action.ts'
import type { Operation } from '../../words/operation.ts'
import type { Line } from '../text/line-list.ts'
import type { Changed } from '../text/replace-text.ts'
import { type FileVersion, hasCertainLine, type Moment, nothingKnown } from '../text/version.ts'
import { ClockMoment, createClock } from './clock.ts'
import { doubtWrittenLines } from './doubt-written-lines.ts'
import { createExcerpts, type Excerpts } from './excerpts.ts'
import {
  createFileRecord,
  type FileEventKind,
  type FileRecord,
  type NextState,
  type Snapshot,
} from './file-record.ts'
import type { Observation } from './observation.ts'
import { observeLines } from './observe-lines.ts'
import { createPossibleChanges, type PossibleChanges } from './possible-changes.ts'

/** Files that the agent changed, each with the stamp before its first change. */
export type ChangedFiles = Map<string, number>

/** The changes that a formatter reported as needed, valid while the file has this version. */
export interface FormatterDiff {
  readonly hunks: readonly PatchHunk[]
  readonly version: number
}

/** The knowledge of all files, and the operations that change it. */
export interface FileTable {
  readonly files: ReadonlyMap<string, FileRecord>
  /** The paths of the files with this base name. */
  pathsNamed(name: string): readonly string[]
  readonly excerpts: Excerpts
  readonly possibleChanges: PossibleChanges
  /** The lines that hold what was left of a line when a change replaced a part of it. */
  successorsOf(id: number): readonly number[]
  /** Changed since the last formatter run, since the last user message, and at any time. */
  readonly unformatted: ChangedFiles
  readonly unreviewed: ChangedFiles
  readonly changed: ChangedFiles
  /** Changed, and then accepted by a formatter's check. */
  readonly wellFormatted: ChangedFiles
  readonly formatterDiffs: Map<string, FormatterDiff>
  /** Seen or changed since the last user message. */
  readonly touched: Set<string>
  /** The current turn. Never decreases. */
  turn: number
  /** The only files that the current step changes; null when the agent did not list them. */
  changing: ReadonlySet<string> | null
  moment(): Moment
  /** What is known of a file, with all doubts applied. */
  known(path: string): Snapshot
  /** The same without the possible changes that concern all files. */
  recorded(path: string): Snapshot
  show(operation: Operation, path: string, observation: Observation): void
  change(
    operation: Operation,
    path: string,
    kind: FileEventKind,
    changed: Changed,
    options: { readonly first: number | null },
  ): void
  undo(operation: Operation, path: string): void
  /** The file or folder is gone. */
  remove(operation: Operation, path: string): void
  transfer(operation: Operation, kind: 'move' | 'copy', from: string, to: string): void
  /** The file, or every file in the folder, may have changed. `operation` is null when its cause is unknown. */
  doubt(operation: Operation | null, path: string): void
  doubtAll(): void
  /** The user may have changed files until now. */
  pause(): void
  /** A formatter or the user may have changed what the agent wrote in these files. */
  doubtWritten(files: ChangedFiles): void
  /** Records a change that is known although no item shows it. */
  recordUnshown(path: string, changed: Changed): void
}

export function createFileTable(): FileTable {
  const files = new Map<string, FileRecord>()
  const byName = new Map<string, readonly string[]>()
  const excerpts = createExcerpts()
  const possibleChanges = createPossibleChanges()
  const unformatted: ChangedFiles = new Map()
  const unreviewed: ChangedFiles = new Map()
  const changedFiles: ChangedFiles = new Map()
  const wellFormatted: ChangedFiles = new Map()
  const clock = createClock()
  /** The last moment at which the user may have changed files. */
  let paused = 0

  const fileOf = (path: string): FileRecord => {
    const known = files.get(path)
    if (known !== undefined) return known
    const created = createFileRecord()
    files.set(path, created)
    const name = path.slice(path.lastIndexOf('/') + 1)
    byName.set(name, [...(byName.get(name) ?? []), path])
    return created
  }
  const moment = (): Moment => new ClockMoment(clock)
  const known = (path: string): Snapshot => possibleChanges.applyTo(fileOf(path).now)
  const recorded = (path: string): Snapshot => fileOf(path).now
  const doubtAll = (): void => possibleChanges.add(table.turn, moment().doubt)

  function record(
    operation: Operation | null,
    path: string,
    kind: FileEventKind,
    next: NextState,
  ): void {
    const call = operation?.call.index ?? null
    if (kind !== 'doubt') table.touched.add(path)
    fileOf(path).record({ kind, turn: table.turn, call }, next)
  }

  function show(operation: Operation, path: string, observation: Observation): void {
    const shown = observe(operation, path, observation)
    if (operation.result === null) return
    const item = operation.result.index
    const first = observation.start + 1
    excerpts.add({ item, path, version: recorded(path).number, first, ids: shown })
  }

  /** Applies an observation, and returns the identities of its lines. */
  function observe(
    operation: Operation | null,
    path: string,
    observation: Observation,
  ): readonly (number | null)[] {
    const before = known(path)
    const now = moment()
    const {
      version,
      doubt,
      ids: shown,
      lost,
      doubtCheck,
      changedUnseen,
    } = observeLines(before, observation, now)
    record(operation, path, changedUnseen ? 'noticed' : 'read', {
      version,
      doubt: changedUnseen ? doubt : recorded(path).doubt,
      agreed: doubtCheck === 'same' ? now.stamp : before.agreed,
      lost,
      exists: true,
      changes: changedUnseen || before.number === 0,
    })
    if (doubtCheck !== null) possibleChanges.check(before, table.turn, doubtCheck)
    // A user or formatter that changed one file may have changed the others that the agent wrote.
    if (changedUnseen && changedFiles.has(path)) {
      for (const since of [unformatted, unreviewed, wellFormatted]) {
        doubtWritten(since, { until: paused, except: path })
      }
    }
    return shown
  }

  const change: FileTable['change'] = (operation, path, kind, changed, { first }) => {
    const { version, written } = changed
    // A doubt about all files is not recorded per file.
    const doubt = changed.doubt === known(path).doubt ? recorded(path).doubt : changed.doubt
    const undoable = operation.action.kind === 'edit' || operation.action.kind === 'write'
    record(operation, path, kind, { version, doubt, exists: true, changes: true, undoable })
    markChanged(path)
    if (written.length === 0) return
    const shown = written.map((line) => line.id)
    const item = operation.call.index
    excerpts.add({ item, path, version: recorded(path).number, first, ids: shown })
  }

  function markChanged(path: string): void {
    for (const since of [unformatted, unreviewed, changedFiles]) {
      if (!since.has(path)) since.set(path, 2 * clock.order)
    }
  }

  function undo(operation: Operation, path: string): void {
    const before = fileOf(path).takeUndo()
    const { version, exists } = before ?? recorded(path)
    const doubt = before?.doubt ?? moment().doubt
    record(operation, path, 'edit', { version, doubt, exists, changes: true })
  }

  const gone = (): NextState => ({
    version: nothingKnown,
    doubt: moment().doubt,
    exists: false,
    changes: true,
  })

  function remove(operation: Operation, path: string): void {
    for (const each of pathsWithin(path)) {
      record(operation, each, 'delete', gone())
    }
  }

  function doubt(operation: Operation | null, path: string): void {
    for (const each of pathsWithin(path)) {
      const { version, exists } = recorded(each)
      record(operation, each, 'doubt', {
        version,
        doubt: moment().doubt,
        exists: exists === false ? null : exists,
        changes: false,
      })
    }
  }

  /** The path itself, and every known file below it. */
  function pathsWithin(path: string): readonly string[] {
    return [path, ...[...files.keys()].filter((each) => each.startsWith(`${path}/`))]
  }

  function transfer(operation: Operation, kind: 'move' | 'copy', from: string, to: string): void {
    for (const source of pathsWithin(from)) {
      const target = to + source.slice(from.length)
      const { version, doubt: since, exists, number } = known(source)
      if (number === 0 && source === from) doubt(operation, target)
      else {
        const carried = kind === 'copy' ? copied(version) : version
        record(operation, target, kind, { version: carried, doubt: since, exists, changes: true })
      }
      if (kind === 'copy') continue
      record(operation, source, 'delete', gone())
    }
  }

  /** The same text in lines with new identities. */
  function copied(version: FileVersion): FileVersion {
    const copy = (line: Line): Line => ({ ...line, id: clock.ids++ })
    const runs = version.runs.map((run) => {
      const chunks = run.lines.chunks.map((chunk) => chunk.map(copy))
      return { ...run, lines: { ...run.lines, chunks } }
    })
    return { ...version, runs }
  }

  function recordUnshown(path: string, { version, doubt }: Changed): void {
    const since = doubt === known(path).doubt ? recorded(path).doubt : doubt
    record(null, path, 'noticed', { version, doubt: since, exists: true, changes: true })
  }

  function doubtWritten(
    changed: ChangedFiles,
    { until, except }: { readonly until: number; readonly except: string | null },
  ): void {
    for (const [path, since] of changed) {
      if (path === except) continue
      const { version, doubt, exists } = recorded(path)
      if (!hasCertainLine(known(path))) continue
      const updated = doubtWrittenLines(version, path, { since, until })
      if (updated === version) continue
      record(null, path, 'doubt', { version: updated, doubt, exists, changes: false })
    }
  }

  const table: FileTable = {
    files,
    pathsNamed: (name) => byName.get(name) ?? [],
    excerpts,
    possibleChanges,
    successorsOf: (id) => clock.successors.get(id) ?? [],
    unformatted,
    unreviewed,
    changed: changedFiles,
    wellFormatted,
    formatterDiffs: new Map(),
    touched: new Set(),
    turn: 0,
    changing: null,
    moment,
    known,
    recorded,
    show,
    change,
    undo,
    remove,
    transfer,
    doubt,
    doubtAll,
    doubtWritten: (changed) =>
      doubtWritten(changed, { until: Number.POSITIVE_INFINITY, except: null }),
    pause() {
      paused = moment().doubt
    },
    recordUnshown,
  }
  return table
}
