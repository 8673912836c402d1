import type { Message } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import { applyEdits } from './apply-edits.ts'
import type { Coverage, Excerpt, LineFate } from './excerpts.ts'
import { contradictsKnown } from './failed-edit.ts'
import { createFileRecord, type FileEvent, type FileRecord } from './file-record.ts'
import { type FileState, fileState } from './file-state.ts'
import { createFileTable } from './file-table.ts'
import { pathOf, spelledPath } from './formatting.ts'
import { createInterruptions, type Interruption } from './interruption.ts'
import { modifiedFiles } from './modified-notes.ts'
import { createEndings, reachesEnd, readObservation } from './observation.ts'
import { observeShell, patchFiles, writeFile } from './shell-effects.ts'

/**
 * What happened to each file, and what is known of its text. Fed with messages and operations in the order in which
 * they came; paths must be canonical. The work of a read grows with the lines that it shows, that of a write with
 * the text, that of an edit with one look through the known lines of its file; versions share what did not change.
 */
export interface FileTracker {
  observe(operation: Operation): void
  /**
   * Every message once, before its operations: what the user says, and after which pause, tells whether files may have
   * changed unseen. Without it the tracker believes that nobody but the agent changes anything.
   */
  hear(message: Message): void
  /** The files that were seen, written or named, in that order. */
  paths(): readonly string[]
  current(path: string): FileState
  /** What was known after the results of a turn. */
  stateAt(path: string, turn: number): FileState
  /** What an item shows of files: a read's result, or the input of a write, an edit or a patch. */
  shownBy(item: number): readonly Excerpt[]
  /** What became of the lines that an item shows. */
  coverage(item: number): readonly Coverage[]
  /** True for a line that may still be in the file, but nobody can say where. */
  isLost(path: string, id: number): boolean
  /** The lines in which changes of a part of a line left the rest of it, whether or not the file still has those. */
  successorsOf(id: number): readonly number[]
  /** The operations on a file, in order. */
  history(path: string): readonly FileEvent[]
}

export function createFileTracker(): FileTracker {
  const table = createFileTable()
  const endings = createEndings()
  const interruptions = createInterruptions()
  const unseen = createFileRecord()
  let heard = -1

  function observe(operation: Operation): void {
    const { action, status } = operation
    table.turn = Math.max(table.turn, operation.turn)
    if (status === 'ok' || action.kind === 'shell') interruptions.acted(operation.effects)
    if (status === 'running') return
    if (action.kind === 'shell') {
      observeShell(table, operation, action)
      return
    }
    if (status === 'error') {
      if (action.kind === 'read' && isMissing(operation)) table.remove(operation, action.path)
      if (contradictsKnown(operation, table.own)) table.doubtAll()
      return
    }
    switch (action.kind) {
      case 'read':
        showResult(operation, action.path)
        return
      case 'write':
        writeFile(table, operation, action.path, action.content)
        showResult(operation, action.path)
        return
      case 'edit':
        if (action.edits.length === 1 && action.edits[0]?.kind === 'undo') {
          table.undo(operation, action.path)
        } else {
          const changed = applyEdits(table.known(action.path), action.edits, table.moment())
          table.change(operation, action.path, 'edit', changed, { first: null })
        }
        showResult(operation, action.path)
        return
      case 'patch':
        patchFiles(table, operation, action.files)
        return
      default:
        return
    }
  }

  /** What a result shows of the file that its call is about. */
  function showResult(operation: Operation, path: string): void {
    const { reading, action, call } = operation
    if (reading === null || reading.lines === null) return
    const { first, lines } = reading.lines
    // A tool that confirms a change shows the lines around it, and no more.
    const around = { start: first, end: first + lines.length - 1 }
    const asked = action.kind === 'read' ? action.lines : around
    const observation = readObservation(reading, asked, (last) => endings.endOf(call.tool, last))
    if (reachesEnd(reading.lines, asked, reading.truncated)) {
      endings.learn(call.tool, reading.lines, table.known(path))
    }
    if (observation !== null) table.show(operation, path, observation)
  }

  function hear(message: Message): void {
    if (message.index <= heard) return
    heard = message.index
    const heardOf = interruptions.hear(message)
    const modified = modifiedFiles(message)
    table.changing = interruptions.changing
    if (heardOf.length === 0 && modified.length === 0) return
    // The results of the turn before are what they were; the doubt begins after them.
    table.turn = Math.max(table.turn, message.items[0]?.turn ?? 0)
    heardOf.forEach(interrupted)
    for (const spelled of modified) {
      const path = pathOf(table, spelledPath(spelled))
      if (path !== null) table.doubt(null, path)
    }
  }

  function interrupted(interruption: Interruption): void {
    table.pause()
    switch (interruption.kind) {
      case 'outside':
        if (interruption.paths === null) table.doubtAll()
        else for (const path of interruption.paths) table.doubt(null, path)
        // Nobody had a look at what the agent wrote.
        return
      case 'rumour':
        table.doubts.rumour(table.turn, table.moment().doubt)
        break
      case 'retouched':
        retouched(interruption.said)
        break
      case 'reverted':
        for (const path of table.changed.keys()) table.doubt(null, path)
        break
      case 'pause':
        table.loosen(table.unreviewed)
        break
      case 'remark':
        break
    }
    table.unreviewed.clear()
    table.touched.clear()
  }

  /** What users say that they changed by hand is what was talked about since they last spoke, and what they name. */
  function retouched(said: readonly string[]): void {
    const words = new Set(said.join(' ').split(/[^\w.-]+/))
    const named = [...table.files.keys()].filter((path) =>
      words.has(path.slice(path.lastIndexOf('/') + 1)),
    )
    const paths = new Set([...table.touched, ...named])
    if (paths.size === 0) table.doubts.rumour(table.turn, table.moment().doubt)
    for (const path of paths) table.doubt(null, path)
  }

  function coverageOf({ item, path, first, ids }: Excerpt): Coverage {
    const file = table.files.get(path) ?? unseen
    const { doubt } = table.known(path)
    const lines = ids.map((id) => {
      const newest = id === null ? null : table.excerpts.newest(id)
      return {
        id,
        fate: id === null ? 'uncertain' : fateOf(file, id, doubt),
        shownAgain: newest === item ? null : newest,
      }
    })
    return { path, first, lines }
  }

  return {
    observe,
    hear,
    paths: () => [...table.files.keys()],
    current(path) {
      const file = table.files.get(path) ?? unseen
      return fileState(table.doubts.applied(file.now))
    },
    stateAt(path, turn) {
      const file = table.files.get(path) ?? unseen
      const snapshot = file.snapshots.findLast((each) => each.turn <= turn) ?? unseen.now
      return fileState(table.doubts.applied(snapshot, turn))
    },
    shownBy: (item) => table.excerpts.of(item),
    coverage: (item) => table.excerpts.of(item).map(coverageOf),
    isLost: (path, id) => table.files.get(path)?.isLost(id) === true,
    successorsOf: table.successorsOf,
    history: (path) => table.files.get(path)?.events ?? [],
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
