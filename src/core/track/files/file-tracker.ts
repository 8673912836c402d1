import type { FilePatch, ShellAction, ShellChange, TextEdit } from '../../record/action.ts'
import type { Message } from '../../record/item.ts'
import type { Operation } from '../operation.ts'
import { appendText, applyEdits, writeText } from './apply-edits.ts'
import { applyHunks } from './apply-patch.ts'
import {
  createFileRecord,
  type FileEvent,
  type FileEventKind,
  type FileRecord,
  type NextState,
  type Snapshot,
} from './file-record.ts'
import { type FileState, fileState } from './file-state.ts'
import { createInterruptions } from './interruption.ts'
import type { Observation } from './observation.ts'
import { observeLines } from './observe-lines.ts'
import { contradictsKnown } from './failed-edit.ts'
import { createEndings, printedObservation, reachesEnd, readObservation } from './read-observation.ts'
import type { Changed } from './replace-text.ts'
import { type Coverage, createShowings, type LineFate, type Showing } from './showings.ts'
import { neverRan, unknownEffect } from './unknown-effect.ts'
import { type Knowledge, type Moment, nothingKnown } from './version.ts'

/**
 * What happened to each file, and what is known of its text. Fed with operations in the order of their results; the
 * work of each grows with the lines that it shows or writes, and for an edit with one look through the known lines of
 * its file. Paths must be canonical.
 */
export interface FileTracker {
  observe(operation: Operation): void
  /** Every message, before its operations: what the user says and when tells whether files may have changed. */
  hear(message: Message): void
  /** The files that were seen, written or named, in that order. */
  paths(): readonly string[]
  current(path: string): FileState
  /** What was known after the results of a turn. */
  stateAt(path: string, turn: number): FileState
  /** What an item shows of files: a read's result, or the input of a write, an edit or a patch. */
  shownBy(item: number): readonly Showing[]
  /** What became of the lines that an item shows. */
  coverage(item: number): readonly Coverage[]
  /** The operations on a file, in order. */
  history(path: string): readonly FileEvent[]
}

export function createFileTracker(): FileTracker {
  const files = new Map<string, FileRecord>()
  const showings = createShowings()
  const endings = createEndings()
  const interruptions = createInterruptions()
  /** When any file may have changed. */
  const doubts: { readonly turn: number; readonly doubt: number }[] = []
  /** Files that the agent changed since a formatter ran, and since the user spoke. */
  const unformatted = new Set<string>()
  const unreviewed = new Set<string>()
  let stepChanged = false
  let ownChange = false
  let order = 0
  let ids = 0
  let turn = 0

  const nextMoment = (): Moment => {
    order++
    return { doubt: 2 * order, stamp: 2 * order + 1, nextId: () => ids++ }
  }
  const fileOf = (path: string): FileRecord => {
    const known = files.get(path)
    if (known !== undefined) return known
    const created = createFileRecord()
    files.set(path, created)
    return created
  }
  const withDoubts = (snapshot: Snapshot, at = Number.POSITIVE_INFINITY): Snapshot => {
    const doubt = doubts.findLast((each) => each.turn <= at)?.doubt ?? 0
    const since = Math.max(snapshot.doubt, doubt)
    return since === snapshot.doubt ? snapshot : { ...snapshot, doubt: since }
  }
  const knownOf = (path: string): Snapshot => withDoubts(fileOf(path).now)

  function doubtChanged(paths: Set<string>): void {
    for (const path of paths) {
      const { version, exists } = knownOf(path)
      const doubt = nextMoment().doubt
      fileOf(path).record({ kind: 'doubt', turn, call: 0 }, { version, doubt, exists, changes: false })
    }
    paths.clear()
  }

  /** Any file may have changed. */
  function doubtAll(): void {
    if (process.env.DBG) console.log('DBG', 't' + turn, 'ALL')
    doubts.push({ turn, doubt: nextMoment().doubt })
  }

  function record(
    operation: Operation,
    path: string,
    kind: FileEventKind,
    next: NextState,
  ): void {
    fileOf(path).record({ kind, turn, call: operation.call.index }, next)
  }

  function show(operation: Operation, path: string, observation: Observation): void {
    const before = knownOf(path)
    const { doubt: earlier } = nextMoment()
    const moment = nextMoment()
    const observed = observeLines(before, observation, moment)
    const { version, lost, surprised } = observed
    const { stamp } = moment
    const doubt = surprised ? observed.doubt : fileOf(path).now.doubt
    const agreed = observed.agreed ? stamp : before.agreed
    const kind = surprised ? 'noticed' : 'read'
    record(operation, path, kind, { version, doubt, agreed, lost, exists: true, changes: surprised || before.number === 0 })
    if (surprised && process.env.DBG) console.log('DBG', 't' + turn, 'SURPRISE', path.slice(-40), unformatted.has(path))
    // Who changed one file behind the agent's back may have changed others; a formatter touches what was just edited.
    if (surprised && !unformatted.has(path)) doubts.push({ turn, doubt: earlier })
    if (operation.result === null) return
    showings.add({
      item: operation.result.index,
      path,
      version: fileOf(path).now.number,
      first: observation.start + 1,
      ids: observed.ids,
    })
  }

  function change(
    operation: Operation,
    path: string,
    kind: FileEventKind,
    changed: Changed,
    options: { readonly first: number | null },
  ): void {
    const { version, doubt, written } = changed
    record(operation, path, kind, { version, doubt, exists: true, changes: true, undoable: true })
    unformatted.add(path)
    unreviewed.add(path)
    if (written.length === 0) return
    showings.add({
      item: operation.call.index,
      path,
      version: fileOf(path).now.number,
      first: options.first,
      ids: written.map((line) => line.id),
    })
  }

  function write(operation: Operation, path: string, text: string): void {
    change(operation, path, 'write', writeText(knownOf(path), text, nextMoment()), { first: 1 })
  }

  function edit(operation: Operation, path: string, edits: readonly TextEdit[]): void {
    if (edits.length === 1 && edits[0]?.kind === 'undo') {
      undo(operation, path)
      return
    }
    const changed = applyEdits(knownOf(path), edits, nextMoment())
    change(operation, path, 'edit', changed, { first: null })
  }

  function undo(operation: Operation, path: string): void {
    const before = fileOf(path).takeUndo()
    const now = knownOf(path)
    const { version, exists } = before ?? now
    const doubt = before === undefined ? nextMoment().doubt : Math.max(before.doubt, doubts.at(-1)?.doubt ?? 0)
    record(operation, path, 'edit', { version, doubt, exists, changes: true })
  }

  /** What a result shows of the file that its call is about. */
  function showResult(operation: Operation, path: string): void {
    const { reading, action, call } = operation
    if (reading === null || reading.lines === null) return
    const asked = action.kind === 'read' ? action.lines : { start: reading.lines.first, end: reading.lines.first + reading.lines.lines.length - 1 }
    const known = knownOf(path)
    const observation = readObservation(reading, asked, (last) => endings.endOf(call.tool, last))
    if (reachesEnd(reading.lines, asked, reading.truncated)) {
      endings.learn(call.tool, reading.lines, known)
    }
    if (observation !== null) show(operation, path, observation)
  }

  function remove(operation: Operation, path: string): void {
    for (const each of pathsWithin(path)) {
      record(operation, each, 'delete', { version: nothingKnown, doubt: 0, exists: false, changes: true })
    }
  }

  function doubt(operation: Operation, path: string): void {
    for (const each of pathsWithin(path)) {
      const { version, exists } = knownOf(each)
      record(operation, each, 'doubt', { version, doubt: nextMoment().doubt, exists: exists === false ? null : exists, changes: false })
    }
  }

  /** The path itself, and every known file below it. */
  function pathsWithin(path: string): readonly string[] {
    return [path, ...[...files.keys()].filter((each) => each.startsWith(`${path}/`))]
  }

  function transfer(operation: Operation, kind: 'move' | 'copy', from: string, to: string): void {
    for (const source of pathsWithin(from)) {
      const target = to + source.slice(from.length)
      const { version, doubt: since, exists } = knownOf(source)
      if (source !== from || exists !== null || version.runs.length > 0) {
        record(operation, target, kind, { version: kind === 'copy' ? copied(version) : version, doubt: since, exists, changes: true })
      } else doubt(operation, target)
      if (kind === 'move') {
        record(operation, source, 'delete', { version: nothingKnown, doubt: 0, exists: false, changes: true })
      }
    }
  }

  function copied(version: Knowledge['version']): Knowledge['version'] {
    const chunk = (lines: readonly { id: number; text: string; stamp: number }[]) =>
      lines.map((line) => ({ ...line, id: ids++ }))
    return {
      ...version,
      runs: version.runs.map((run) => ({
        ...run,
        lines: { ...run.lines, chunks: run.lines.chunks.map(chunk) },
      })),
    }
  }

  function patch(operation: Operation, patches: readonly FilePatch[]): void {
    for (const file of patches) {
      if (file.op === 'add') write(operation, file.path, file.content)
      else if (file.op === 'delete') remove(operation, file.path)
      else {
        if (file.hunks.length > 0) {
          const changed = applyHunks(knownOf(file.path), file.hunks, nextMoment())
          change(operation, file.path, 'patch', changed, { first: null })
        }
        if (file.movedTo !== null) transfer(operation, 'move', file.path, file.movedTo)
      }
    }
  }

  function shell(operation: Operation, action: ShellAction): void {
    const code = operation.reading?.exitCode ?? 0
    const failed = operation.status === 'error' || code !== 0
    if (operation.status === 'error' && neverRan(operation.reading)) return
    for (const each of action.changes) {
      shellChange(operation, each)
      if (failed) for (const path of pathsOf(each)) doubt(operation, path)
    }
    const only = action.reads.length === 1 ? action.reads[0] : undefined
    if (failed || only === undefined || !only.exact || operation.reading === null) return
    const observation = printedObservation(operation.reading, only.lines, only)
    if (observation !== null) show(operation, only.path, observation)
  }

  function shellChange(operation: Operation, each: ShellChange): void {
    switch (each.kind) {
      case 'write':
        if (each.append && knownOf(each.path).exists !== false) {
          const changed = appendText(knownOf(each.path), each.content, nextMoment())
          change(operation, each.path, 'write', changed, { first: null })
        } else write(operation, each.path, each.content)
        return
      case 'change':
        doubt(operation, each.path)
        return
      case 'delete':
        remove(operation, each.path)
        return
      case 'move':
      case 'copy':
        transfer(operation, each.kind, each.path, each.to)
        return
      case 'patch':
        patch(operation, each.files)
        return
      case 'unknown':
        switch (unknownEffect(commandOf(operation), operation.reading)) {
          case 'all':
            doubtAll()
            return
          case 'edited':
            doubtChanged(unformatted)
            return
          case 'none':
        }
    }
  }

  function observe(operation: Operation): void {
    const { action, status } = operation
    turn = Math.max(turn, operation.turn)
    if (mayChange(action)) ownChange = true
    if (status === 'running') return
    if (action.kind === 'shell') {
      shell(operation, action)
      return
    }
    if (status === 'error') {
      if (action.kind === 'read' && isMissing(operation)) remove(operation, action.path)
      if (contradictsKnown(operation, knownOf)) doubtAll()
      return
    }
    switch (action.kind) {
      case 'read':
        break
      case 'write':
        write(operation, action.path, action.content)
        break
      case 'edit':
        edit(operation, action.path, action.edits)
        break
      case 'patch':
        patch(operation, action.files)
        return
      default:
        return
    }
    showResult(operation, action.path)
  }

  return {
    observe,
    hear(message) {
      if (message.role === 'assistant') {
        if (stepChanged && !ownChange) doubtAll()
        stepChanged = message.items.some((item) => item.kind === 'marker' && item.marker === 'patch')
        ownChange = false
      }
      const interruption = interruptions.hear(message)
      // What the user says belongs to the next turn; the results before it are still as they were.
      if (interruption && process.env.DBG) console.log('DBG', 't' + turn, interruption, JSON.stringify(message.items.map(i=>i.text).join(' ').slice(0,200)), [...unreviewed].map(p=>p.slice(-30)).join(','))
      if (interruption === 'change') doubtAll()
      if (interruption === 'pause') doubtChanged(unreviewed)
      if (message.role === 'user') unreviewed.clear()
    },
    paths: () => [...files.keys()],
    current: (path) => fileState(knownOf(path)),
    stateAt(path, at) {
      const snapshot = files.get(path)?.snapshots.findLast((each) => each.turn <= at)
      return fileState(withDoubts(snapshot ?? createFileRecord().now, at))
    },
    shownBy: (item) => showings.of(item),
    coverage: (item) =>
      showings.of(item).map(({ path, first, ids: shown }) => {
        const file = fileOf(path)
        const since = knownOf(path).doubt
        return {
          path,
          first,
          lines: shown.map((id) => {
            const newest = id === null ? null : showings.newest(id)
            return {
              id,
              fate: id === null ? 'uncertain' : fateOf(file, id, since),
              shownAgain: newest === null || newest === item ? null : newest,
            }
          }),
        }
      }),
    history: (path) => files.get(path)?.events ?? [],
  }
}

function fateOf(file: FileRecord, id: number, doubt: number): LineFate {
  const stamp = file.stampOf(id)
  if (stamp === undefined) return file.isLost(id) ? 'uncertain' : 'stale'
  return stamp > doubt ? 'current' : 'uncertain'
}

function isMissing({ reading }: Operation): boolean {
  const text = reading?.body ?? ''
  return text.length < 2000 && /no such file|does not exist|not found|ENOENT/i.test(text)
}

function pathsOf(change: ShellChange): readonly string[] {
  switch (change.kind) {
    case 'unknown':
      return []
    case 'patch':
      return change.files.flatMap((file) =>
        file.op === 'update' && file.movedTo !== null ? [file.path, file.movedTo] : [file.path],
      )
    case 'move':
      return [change.path, change.to]
    case 'copy':
      return [change.to]
    default:
      return [change.path]
  }
}

function commandOf({ action }: Operation): string {
  return action.kind === 'shell' ? action.command : ''
}

function mayChange(action: Operation['action']): boolean {
  switch (action.kind) {
    case 'write':
    case 'edit':
    case 'patch':
    case 'task':
      return true
    case 'shell':
      return action.changes.length > 0
    default:
      return false
  }
}
