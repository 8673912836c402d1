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
export class FileTable {
  readonly files: Map<string, FileRecord> = new Map()
  readonly excerpts: Excerpts = createExcerpts()
  readonly possibleChanges: PossibleChanges = createPossibleChanges()
  /** Changed since the last formatter run, since the last user message, and at any time. */
  readonly unformatted: ChangedFiles = new Map()
  readonly unreviewed: ChangedFiles = new Map()
  readonly changed: ChangedFiles = new Map()
  /** Changed, and then accepted by a formatter's check. */
  readonly wellFormatted: ChangedFiles = new Map()
  readonly formatterDiffs: Map<string, FormatterDiff> = new Map()
  /** Seen or changed since the last user message. */
  readonly touched: Set<string> = new Set()
  /** The current turn. Never decreases. */
  turn = 0
  /** The only files that the current step changes; null when the agent did not list them. */
  changing: ReadonlySet<string> | null = null
  readonly #byName = new Map<string, readonly string[]>()
  readonly #clock = createClock()
  /** The last moment at which the user may have changed files. */
  #paused = 0

  /** The paths of the files with this base name. */
  pathsNamed(name: string): readonly string[] {
    return this.#byName.get(name) ?? []
  }

  /** The lines that hold what was left of a line when a change replaced a part of it. */
  successorsOf(id: number): readonly number[] {
    return this.#clock.successors.get(id) ?? []
  }

  moment(): Moment {
    return new ClockMoment(this.#clock)
  }

  /** What is known of a file, with all doubts applied. */
  known(path: string): Snapshot {
    return this.possibleChanges.applyTo(this.recorded(path))
  }

  /** The same without the possible changes that concern all files. */
  recorded(path: string): Snapshot {
    return this.#fileOf(path).now
  }

  show(operation: Operation, path: string, observation: Observation): void {
    const ids = this.#observe(operation, path, observation)
    if (operation.result === null) return
    const item = operation.result.index
    const first = observation.start + 1
    this.excerpts.add({ item, path, version: this.recorded(path).number, first, ids })
  }

  change(
    operation: Operation,
    path: string,
    kind: FileEventKind,
    changed: Changed,
    { first }: { readonly first: number | null },
  ): void {
    const { version, written } = changed
    const doubt = this.#ownDoubt(path, changed)
    const undoable = operation.action.kind === 'edit' || operation.action.kind === 'write'
    this.#record(operation, path, kind, { version, doubt, exists: true, changes: true, undoable })
    for (const since of [this.unformatted, this.unreviewed, this.changed]) {
      if (!since.has(path)) since.set(path, 2 * this.#clock.order)
    }
    if (written.length === 0) return
    const ids = written.map((line) => line.id)
    const item = operation.call.index
    this.excerpts.add({ item, path, version: this.recorded(path).number, first, ids })
  }

  undo(operation: Operation, path: string): void {
    const before = this.#fileOf(path).takeUndo()
    const { version, exists } = before ?? this.recorded(path)
    const doubt = before?.doubt ?? this.moment().doubt
    this.#record(operation, path, 'edit', { version, doubt, exists, changes: true })
  }

  /** The file or folder is gone. */
  remove(operation: Operation, path: string): void {
    for (const each of this.#pathsWithin(path)) this.#removeFile(operation, each)
  }

  transfer(operation: Operation, kind: 'move' | 'copy', from: string, to: string): void {
    for (const source of this.#pathsWithin(from)) {
      const target = to + source.slice(from.length)
      const { version, doubt, exists, number } = this.known(source)
      if (number === 0 && source === from) this.doubt(operation, target)
      else {
        const carried = kind === 'copy' ? this.#copied(version) : version
        this.#record(operation, target, kind, { version: carried, doubt, exists, changes: true })
      }
      if (kind === 'move') this.#removeFile(operation, source)
    }
  }

  /** The file, or every file in the folder, may have changed. `operation` is null when its cause is unknown. */
  doubt(operation: Operation | null, path: string): void {
    for (const each of this.#pathsWithin(path)) {
      const { version, exists } = this.recorded(each)
      this.#record(operation, each, 'doubt', {
        version,
        doubt: this.moment().doubt,
        exists: exists === false ? null : exists,
        changes: false,
      })
    }
  }

  doubtAll(): void {
    this.possibleChanges.add(this.turn, this.moment().doubt)
  }

  /** The user may have changed files until now. */
  pause(): void {
    this.#paused = this.moment().doubt
  }

  /** A formatter or the user may have changed what the agent wrote in these files. */
  doubtWritten(
    changed: ChangedFiles,
    { until = Number.POSITIVE_INFINITY, except }: DoubtLimits = {},
  ): void {
    for (const [path, since] of changed) {
      if (path === except) continue
      const { version, doubt, exists } = this.recorded(path)
      if (!hasCertainLine(this.known(path))) continue
      const updated = doubtWrittenLines(version, path, { since, until })
      if (updated === version) continue
      this.#record(null, path, 'doubt', { version: updated, doubt, exists, changes: false })
    }
  }

  /** Records a change that is known although no item shows it. */
  recordUnshown(path: string, changed: Changed): void {
    const { version } = changed
    const doubt = this.#ownDoubt(path, changed)
    this.#record(null, path, 'noticed', { version, doubt, exists: true, changes: true })
  }

  #fileOf(path: string): FileRecord {
    const known = this.files.get(path)
    if (known !== undefined) return known
    const created = createFileRecord()
    this.files.set(path, created)
    const name = path.slice(path.lastIndexOf('/') + 1)
    this.#byName.set(name, [...this.pathsNamed(name), path])
    return created
  }

  #record(operation: Operation | null, path: string, kind: FileEventKind, next: NextState): void {
    const call = operation?.call.index ?? null
    if (kind !== 'doubt') this.touched.add(path)
    this.#fileOf(path).record({ kind, turn: this.turn, call }, next)
  }

  /** Applies an observation, and returns the identities of its lines. */
  #observe(
    operation: Operation,
    path: string,
    observation: Observation,
  ): readonly (number | null)[] {
    const before = this.known(path)
    const now = this.moment()
    const observed = observeLines(before, observation, now)
    const { version, doubt, lost, doubtCheck, changedUnseen } = observed
    this.#record(operation, path, changedUnseen ? 'noticed' : 'read', {
      version,
      doubt: changedUnseen ? doubt : this.recorded(path).doubt,
      agreed: doubtCheck === 'same' ? now.stamp : before.agreed,
      lost,
      exists: true,
      changes: changedUnseen || before.number === 0,
    })
    if (doubtCheck !== null) this.possibleChanges.check(before, this.turn, doubtCheck)
    // A user or formatter that changed one file may have changed the others that the agent wrote.
    if (changedUnseen && this.changed.has(path)) {
      for (const since of [this.unformatted, this.unreviewed, this.wellFormatted]) {
        this.doubtWritten(since, { until: this.#paused, except: path })
      }
    }
    return observed.ids
  }

  /** A doubt about all files is not recorded per file. */
  #ownDoubt(path: string, { doubt }: Changed): number {
    return doubt === this.known(path).doubt ? this.recorded(path).doubt : doubt
  }

  #removeFile(operation: Operation, path: string): void {
    const { doubt } = this.moment()
    const gone = { version: nothingKnown, doubt, exists: false, changes: true }
    this.#record(operation, path, 'delete', gone)
  }

  /** The path itself, and every known file below it. */
  #pathsWithin(path: string): readonly string[] {
    return [path, ...[...this.files.keys()].filter((each) => each.startsWith(`${path}/`))]
  }

  /** The same text in lines with new identities. */
  #copied(version: FileVersion): FileVersion {
    const copy = (line: Line): Line => ({ ...line, id: this.#clock.ids++ })
    const runs = version.runs.map((run) => {
      const chunks = run.lines.chunks.map((chunk) => chunk.map(copy))
      return { ...run, lines: { ...run.lines, chunks } }
    })
    return { ...version, runs }
  }
}

interface DoubtLimits {
  readonly until?: number
  readonly except?: string
}
