import type { Message } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import { applyEdits } from './apply-edits.ts'
import type { Coverage, Excerpt, LineFate } from './excerpts.ts'
import { contradictsKnown } from './failed-edit.ts'
import { createFileRecord, type FileEvent, type FileRecord } from './file-record.ts'
import { type FileState, fileState } from './file-state.ts'
import { FileTable } from './file-table.ts'
import { onlyPathEnding, pathEnding } from './formatting.ts'
import { createInterruptions, type Interruption, modifiedFiles } from './interruption.ts'
import { createEndings, reachesEnd, readObservation } from './observation.ts'
import { observeShell, patchFiles, writeFile } from './shell-effects.ts'

/**
 * What happened to each file, and what is known of its text. Takes messages and operations in their order; paths must
 * be canonical. A read takes time in proportion to the lines shown, a write to its text, an edit to the known lines of
 * its file.
 */
export interface FileTracker {
  observe(operation: Operation): void
  /**
   * Takes every message once, before its operations. Pauses and the user's words show when files may have changed
   * outside of the agent; without messages the tracker assumes that only the agent changes files.
   */
  observeMessage(message: Message): void
  /** The files that were seen, written or named, in that order. */
  paths(): readonly string[]
  current(path: string): FileState
  /** The known file that a path means: its own, or the only one that ends with it. */
  meant(path: string): string
  /** What was known after the results of a turn. Takes a path as `meant` does. */
  stateAt(path: string, turn: number): FileState
  /** What an item shows of files: a read's result, or the input of a write, an edit or a patch. */
  shownBy(item: number): readonly Excerpt[]
  /** What became of the lines that an item shows. */
  coverage(item: number): readonly Coverage[]
  /** True for a line that may still be in the file, at an unknown place. */
  isLost(path: string, id: number): boolean
  /** The lines that hold the rest of a line after a change of a part of it, whether or not the file still has them. */
  successorsOf(id: number): readonly number[]
  /** The operations on a file, in order. */
  history(path: string): readonly FileEvent[]
}

export function createFileTracker(): FileTracker {
  return new Tracker()
}

class Tracker implements FileTracker {
  readonly #table = new FileTable()
  readonly #endings = createEndings()
  readonly #interruptions = createInterruptions()
  readonly #unseen = createFileRecord()
  #lastMessage = -1

  observe(operation: Operation): void {
    const { action, status } = operation
    this.#table.turn = Math.max(this.#table.turn, operation.turn)
    if (status === 'ok' || action.kind === 'shell')
      this.#interruptions.recordEffects(operation.effects)
    if (status === 'running') return
    if (action.kind === 'shell') {
      observeShell(this.#table, operation, action)
      return
    }
    if (status === 'error') {
      if (action.kind === 'read' && isMissing(operation)) this.#table.remove(operation, action.path)
      if (contradictsKnown(operation, (path) => this.#table.recorded(path))) this.#table.doubtAll()
      return
    }
    switch (action.kind) {
      case 'read':
        this.#showResult(operation, action.path)
        return
      case 'write':
        writeFile(this.#table, operation, action.path, action.content)
        this.#showResult(operation, action.path)
        return
      case 'edit':
        if (action.edits.length === 1 && action.edits[0]?.kind === 'undo') {
          this.#table.undo(operation, action.path)
        } else {
          const changed = applyEdits(
            this.#table.known(action.path),
            action.edits,
            this.#table.moment(),
          )
          this.#table.change(operation, action.path, 'edit', changed, { first: null })
        }
        this.#showResult(operation, action.path)
        return
      case 'patch':
        patchFiles(this.#table, operation, action.files)
        return
      default:
        return
    }
  }

  /** Records what a result shows of the file of its call. */
  #showResult(operation: Operation, path: string): void {
    const { reading, action, call } = operation
    if (reading === null || reading.lines === null) return
    const { first, lines } = reading.lines
    // The result of a change shows only the lines around it.
    const around = { start: first, end: first + lines.length - 1 }
    const asked = action.kind === 'read' ? action.lines : around
    const observation = readObservation(reading, asked, (last) =>
      this.#endings.endOf(call.tool, last),
    )
    if (reachesEnd(reading.lines, asked, reading.truncated)) {
      this.#endings.learn(call.tool, reading.lines, this.#table.known(path))
    }
    if (observation !== null) this.#table.show(operation, path, observation)
  }

  observeMessage(message: Message): void {
    if (message.index <= this.#lastMessage) return
    this.#lastMessage = message.index
    const found = this.#interruptions.observeMessage(message)
    const modified = modifiedFiles(message)
    this.#table.changing = this.#interruptions.changing
    if (found.length === 0 && modified.length === 0) return
    // The doubt begins after the results of the turn before.
    this.#table.turn = Math.max(this.#table.turn, message.items[0]?.turn ?? 0)
    for (const each of found) this.#applyInterruption(each)
    for (const written of modified) {
      const path = onlyPathEnding(this.#table, pathEnding(written))
      if (path !== null) this.#table.doubt(null, path)
    }
  }

  #applyInterruption(interruption: Interruption): void {
    this.#table.pause()
    switch (interruption.kind) {
      case 'outside':
        if (interruption.paths === null) this.#table.doubtAll()
        else for (const path of interruption.paths) this.#table.doubt(null, path)
        // The user did not review what the agent wrote.
        return
      case 'left':
        this.#table.possibleChanges.addRefutable(this.#table.turn, this.#table.moment().doubt)
        break
      case 'edited-by-hand':
        this.#doubtEditedByHand(interruption.texts)
        break
      case 'reverted':
        for (const path of this.#table.changed.keys()) this.#table.doubt(null, path)
        break
      case 'pause':
        this.#table.doubtWritten(this.#table.unreviewed)
        break
      case 'remark':
        break
    }
    this.#table.unreviewed.clear()
    this.#table.touched.clear()
  }

  /** Doubts the files that the user names, and those seen or changed since the user's last message. */
  #doubtEditedByHand(texts: readonly string[]): void {
    const words = new Set(texts.join(' ').split(/[^\w.-]+/))
    const named = [...this.#table.files.keys()].filter((path) =>
      words.has(path.slice(path.lastIndexOf('/') + 1)),
    )
    const paths = new Set([...this.#table.touched, ...named])
    if (paths.size === 0)
      this.#table.possibleChanges.addRefutable(this.#table.turn, this.#table.moment().doubt)
    for (const path of paths) this.#table.doubt(null, path)
  }

  #coverageOf({ item, path, first, ids }: Excerpt): Coverage {
    const file = this.#table.files.get(path) ?? this.#unseen
    const { doubt } = this.#table.known(path)
    const lines = ids.map((id) => {
      const newest = id === null ? null : this.#table.excerpts.newest(id)
      return {
        id,
        fate: id === null ? 'uncertain' : fateOf(file, id, doubt),
        shownAgain: newest === item ? null : newest,
      }
    })
    return { path, first, lines }
  }

  paths(): readonly string[] {
    return [...this.#table.files.keys()]
  }

  current(path: string): FileState {
    const file = this.#table.files.get(path) ?? this.#unseen
    return fileState(this.#table.possibleChanges.applyTo(file.now))
  }

  meant(path: string): string {
    const { files } = this.#table
    const plain = path.replaceAll('\\', '/')
    if (files.has(path) || /^(?:\/|[a-z]:\/)/i.test(plain)) return path
    const ending = `/${plain.replace(/^(?:\.{0,2}\/)+/, '')}`
    const alike = [...files.keys()].filter((each) => `/${each}`.endsWith(ending))
    return alike.length === 1 ? (alike[0] as string) : path
  }

  stateAt(path: string, turn: number): FileState {
    const file = this.#table.files.get(this.meant(path)) ?? this.#unseen
    const snapshot = file.snapshots.findLast((each) => each.turn <= turn) ?? this.#unseen.now
    return fileState(this.#table.possibleChanges.applyTo(snapshot, turn))
  }

  shownBy(item: number): readonly Excerpt[] {
    return this.#table.excerpts.of(item)
  }

  coverage(item: number): readonly Coverage[] {
    return this.shownBy(item).map((excerpt) => this.#coverageOf(excerpt))
  }

  isLost(path: string, id: number): boolean {
    return this.#table.files.get(path)?.isLost(id) === true
  }

  successorsOf(id: number): readonly number[] {
    return this.#table.successorsOf(id)
  }

  history(path: string): readonly FileEvent[] {
    return this.#table.files.get(path)?.events ?? []
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
