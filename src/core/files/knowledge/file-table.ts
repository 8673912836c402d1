import type { PatchHunk } from '../../words/action.ts'
import type { Operation } from '../../words/operation.ts'
import type { Line } from '../text/line-list.ts'
import type { Changed } from '../text/replace-text.ts'
import { type FileVersion, hasCertainLine, type Moment, nothingKnown } from '../text/version.ts'
import { ClockMoment, createClock } from './clock.ts'
import { createExcerpts, type Excerpts } from './excerpts.ts'
import {
  createFileRecord,
  type FileEventKind,
  type FileRecord,
  type NextState,
  type Snapshot,
} from './file-record.ts'
import { createGlobalDoubts, type GlobalDoubts } from './global-doubts.ts'
import { loosen } from './loosen.ts'
import type { Observation } from './observation.ts'
import { observeLines } from './observe-lines.ts'

/** Files that the agent changed, each with the stamp before its first change. */
export type ChangedFiles = Map<string, number>

/** What a formatter would do to a file, as long as that is of this version. */
export interface Foretold {
  readonly hunks: readonly PatchHunk[]
  readonly version: number
}

/** Everything known of all files, and the few things that can happen to one. */
export interface FileTable {
  readonly files: ReadonlyMap<string, FileRecord>
  /** The files of this name, in whichever folder. */
  named(name: string): readonly string[]
  readonly excerpts: Excerpts
  readonly doubts: GlobalDoubts
  /** The lines that hold what was left of a line when a change replaced a part of it. */
  successorsOf(id: number): readonly number[]
  /** Changed since a formatter ran, since the user spoke, and at all. */
  readonly unformatted: ChangedFiles
  readonly unreviewed: ChangedFiles
  readonly changed: ChangedFiles
  /** Changed, but a formatter found no fault with them since. */
  readonly faultless: ChangedFiles
  readonly foretold: Map<string, Foretold>
  /** Seen or changed since the user spoke. */
  readonly touched: Set<string>
  /** The turn of what happens now. Never goes back. */
  turn: number
  /** The only files that change in the step that runs now, where somebody noted them. */
  changing: ReadonlySet<string> | null
  moment(): Moment
  /** What is known of a file in the light of all doubts. */
  known(path: string): Snapshot
  /** The same without the doubts that concern all files. */
  own(path: string): Snapshot
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
  /** The file, or those in the folder, may have changed. Without an operation nobody knows through what. */
  doubt(operation: Operation | null, path: string): void
  doubtAll(): void
  /** Somebody else may have been at work until now. */
  pause(): void
  /** Somebody may have gone over what the agent wrote in these files. */
  loosen(files: ChangedFiles): void
  /** The file changed, and it is known how, but nothing shows it. */
  notice(path: string, changed: Changed): void
}

export function createFileTable(): FileTable {
  const files = new Map<string, FileRecord>()
  const byName = new Map<string, readonly string[]>()
  const excerpts = createExcerpts()
  const doubts = createGlobalDoubts()
  const unformatted: ChangedFiles = new Map()
  const unreviewed: ChangedFiles = new Map()
  const changedFiles: ChangedFiles = new Map()
  const faultless: ChangedFiles = new Map()
  const clock = createClock()
  /** The last moment at which somebody else may have been at work. */
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
  const known = (path: string): Snapshot => doubts.applied(fileOf(path).now)
  const own = (path: string): Snapshot => fileOf(path).now
  const doubtAll = (): void => doubts.all(table.turn, moment().doubt)

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
    const shown = take(operation, path, observation)
    if (operation.result === null) return
    const item = operation.result.index
    const first = observation.start + 1
    excerpts.add({ item, path, version: own(path).number, first, ids: shown })
  }

  /** Takes in what was seen, and says the identities of its lines. */
  function take(
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
      doubted,
      surprised,
    } = observeLines(before, observation, now)
    record(operation, path, surprised ? 'noticed' : 'read', {
      version,
      doubt: surprised ? doubt : own(path).doubt,
      agreed: doubted === 'same' ? now.stamp : before.agreed,
      lost,
      exists: true,
      changes: surprised || before.number === 0,
    })
    if (doubted !== null) doubts.probe(before, table.turn, doubted)
    // Who went over one file that the agent wrote may have gone over the others.
    if (surprised && changedFiles.has(path)) {
      for (const since of [unformatted, unreviewed, faultless]) {
        loosenFiles(since, { until: paused, except: path })
      }
    }
    return shown
  }

  const change: FileTable['change'] = (operation, path, kind, changed, { first }) => {
    const { version, written } = changed
    // Doubts about all files are not recorded per file.
    const doubt = changed.doubt === known(path).doubt ? own(path).doubt : changed.doubt
    const undoable = operation.action.kind === 'edit' || operation.action.kind === 'write'
    record(operation, path, kind, { version, doubt, exists: true, changes: true, undoable })
    markChanged(path)
    if (written.length === 0) return
    const shown = written.map((line) => line.id)
    const item = operation.call.index
    excerpts.add({ item, path, version: own(path).number, first, ids: shown })
  }

  function markChanged(path: string): void {
    for (const since of [unformatted, unreviewed, changedFiles]) {
      if (!since.has(path)) since.set(path, 2 * clock.order)
    }
  }

  function undo(operation: Operation, path: string): void {
    const before = fileOf(path).takeUndo()
    const { version, exists } = before ?? own(path)
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
      const { version, exists } = own(each)
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

  /** The same text in lines of their own. */
  function copied(version: FileVersion): FileVersion {
    const copy = (line: Line): Line => ({ ...line, id: clock.ids++ })
    const runs = version.runs.map((run) => {
      const chunks = run.lines.chunks.map((chunk) => chunk.map(copy))
      return { ...run, lines: { ...run.lines, chunks } }
    })
    return { ...version, runs }
  }

  function notice(path: string, { version, doubt }: Changed): void {
    const since = doubt === known(path).doubt ? own(path).doubt : doubt
    record(null, path, 'noticed', { version, doubt: since, exists: true, changes: true })
  }

  function loosenFiles(
    changed: ChangedFiles,
    { until, except }: { readonly until: number; readonly except: string | null },
  ): void {
    for (const [path, since] of changed) {
      if (path === except) continue
      const { version, doubt, exists } = own(path)
      if (!hasCertainLine(known(path))) continue
      const loosened = loosen(version, path, { since, until })
      if (loosened === version) continue
      record(null, path, 'doubt', { version: loosened, doubt, exists, changes: false })
    }
  }

  const table: FileTable = {
    files,
    named: (name) => byName.get(name) ?? [],
    excerpts,
    doubts,
    successorsOf: (id) => clock.successors.get(id) ?? [],
    unformatted,
    unreviewed,
    changed: changedFiles,
    faultless,
    foretold: new Map(),
    touched: new Set(),
    turn: 0,
    changing: null,
    moment,
    known,
    own,
    show,
    change,
    undo,
    remove,
    transfer,
    doubt,
    doubtAll,
    loosen: (changed) => loosenFiles(changed, { until: Number.POSITIVE_INFINITY, except: null }),
    pause() {
      paused = moment().doubt
    },
    notice,
  }
  return table
}
