import type { Message } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import { leastCheckedChars } from './age-checks.ts'
import { createFeatures, type NeedFeatures, type SeenFeatures, withNames } from './features.ts'
import { fileNamesIn, isDocument, isTest, nameOf } from './file-kinds.ts'
import { isPartial, printsChanges, printsFile, printsKnownLines } from './printed-files.ts'
import { createRecurringNames, type TrackedNames } from './recurring-names.ts'

/** Tracks a session to compute the features of its results. The work of a call depends only on what is new. */
export interface NeedTracker {
  /**
   * An operation has completed; `turn` is the request that first sends its result. Returns null when the result is too
   * small to be checked.
   */
  observe(operation: Operation, turn: number): Arrival | null
  /** Takes every message once, after the operations that it completes. */
  observeMessage(message: Message): void
  /**
   * All features except names, which are expensive to count. The returned object is reused by the next call. `pointedToAt` is
   * the newest request that points to the result, if any.
   */
  seenOf(arrival: Arrival, turn: number, pointedToAt?: number): SeenFeatures
  /** How many of the names that a result declares appeared since. */
  namesSince(arrival: Arrival): number
  /** All features of an observed operation; null when its result is too small to be checked. */
  featuresOf(operation: Operation, turn: number): NeedFeatures | null
}

/** The counters of a file. They only grow. */
interface FileCounts {
  edits: number
  reads: number
  lastTurn: number
  readonly isTest: boolean
  readonly isDocument: boolean
  readonly said: SaidCounts
  readonly folder: FolderCounts
}

/** How often the files of a folder were changed. */
interface FolderCounts {
  edits: number
}

/** How often a file was named. */
interface SaidCounts {
  byUser: number
  byAgent: number
}

/** Whether the file of a result was changed since, and touched within the given number of requests. */
export function isWorkedOn(arrival: Arrival, turn: number, withinTurns: number): boolean {
  const { file } = arrival
  if (!arrival.isFileText || file.edits === arrival.fileEdits) return false
  return turn - Math.max(file.lastTurn, arrival.turn) < withinTurns
}

/** A result that may be checked, with the values of the counters when it arrived. */
export interface Arrival {
  readonly turn: number
  readonly isFileText: boolean
  readonly isShell: boolean
  readonly isPartial: boolean
  /** The live counters of its file. The other fields have the values at arrival. */
  readonly file: FileCounts
  readonly fileEdits: number
  readonly fileReads: number
  readonly edits: number
  readonly folderEdits: number
  readonly said: number
  readonly userTexts: number
  readonly chars: number
  readonly names: TrackedNames | null
}

export function createNeedTracker(): NeedTracker {
  const files = new Map<string, FileCounts>()
  const folders = new Map<string, FolderCounts>()
  const said = new Map<string, SaidCounts>()
  const arrivals = new Map<number, Arrival>()
  const names = createRecurringNames()
  const seen = createFeatures()
  let edits = 0
  let userTexts = 0

  function saidOf(name: string): SaidCounts {
    const known = said.get(name)
    if (known !== undefined) return known
    const counts = { byUser: 0, byAgent: 0 }
    said.set(name, counts)
    return counts
  }

  function folderOf(path: string): FolderCounts {
    const name = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const known = folders.get(name)
    if (known !== undefined) return known
    const counts = { edits: 0 }
    folders.set(name, counts)
    return counts
  }

  function fileOf(path: string): FileCounts {
    const known = files.get(path)
    if (known !== undefined) return known
    const counts = {
      edits: 0,
      reads: 0,
      lastTurn: 0,
      isTest: isTest(path),
      isDocument: isDocument(path),
      said: saidOf(nameOf(path)),
      folder: folderOf(path),
    }
    files.set(path, counts)
    return counts
  }

  function arrive(operation: Operation, path: string, turn: number): Arrival | null {
    const { result, status, action } = operation
    if (result === null || result.text.length < leastCheckedChars) return null
    const isFileText = printsFile(action) || printsChanges(action)
    const isRead = status === 'ok' && isFileText
    const file = fileOf(path)
    const arrival = {
      turn,
      isFileText,
      isShell: action.kind === 'shell' && !printsKnownLines(action),
      isPartial: isPartial(action),
      file,
      fileEdits: file.edits,
      fileReads: file.reads,
      edits,
      folderEdits: file.folder.edits,
      said: file.said.byAgent,
      userTexts,
      chars: result.text.length,
      names: isRead ? names.track(result.text) : null,
    }
    arrivals.set(result.index, arrival)
    return arrival
  }

  function seenOf(arrival: Arrival, turn: number, pointedToAt = 0): SeenFeatures {
    const { file } = arrival
    const isSeenAgain = pointedToAt > arrival.turn
    seen.isFileText = arrival.isFileText
    seen.isShell = arrival.isShell
    // A result that a later read points to was last seen with that read.
    seen.age = turn - (isSeenAgain ? pointedToAt : arrival.turn)
    seen.arrivedAt = arrival.turn
    seen.isPartial = arrival.isPartial
    seen.isTest = file.isTest
    seen.isDocument = file.isDocument
    seen.editsSince = file.edits - arrival.fileEdits
    seen.sessionEditsSince = edits - arrival.edits
    const folderEdits = file.folder.edits - arrival.folderEdits
    seen.nearEditsSince = Math.max(0, folderEdits - seen.editsSince)
    // The result itself is one of the reads.
    seen.readsSince = isSeenAgain ? 0 : Math.max(0, file.reads - arrival.fileReads - 1)
    seen.quiet = turn - Math.max(file.lastTurn, arrival.turn)
    seen.userSaid = file.said.byUser
    seen.agentSaidSince = file.said.byAgent - arrival.said
    seen.userSince = userTexts - arrival.userTexts
    seen.chars = arrival.chars
    return seen
  }

  function namesSince(arrival: Arrival): number {
    return arrival.names === null ? 0 : names.count(arrival.names)
  }

  return {
    observe(operation, turn) {
      const { named: paths, changes } = operation.effects
      const arrival = arrive(operation, paths[0] ?? '', turn)
      const changed = operation.status === 'ok' ? changes.map(({ path }) => path) : []
      for (const path of changed) {
        edits++
        const file = fileOf(path)
        file.edits++
        file.folder.edits++
        file.lastTurn = turn
      }
      for (const path of paths) {
        if (changed.includes(path)) continue
        const file = fileOf(path)
        file.reads++
        file.lastTurn = turn
      }
      return arrival
    },
    observeMessage(message) {
      for (const item of message.items) {
        if (item.kind !== 'text' && item.kind !== 'reasoning' && item.kind !== 'call') continue
        names.addText(item.text)
        if (item.kind === 'call') continue
        if (item.role === 'user') userTexts++
        const isAgent = item.role === 'assistant'
        for (const name of fileNamesIn(item.text)) {
          if (isAgent) saidOf(name).byAgent++
          else saidOf(name).byUser++
        }
      }
    },
    seenOf,
    namesSince,
    featuresOf({ result }, turn) {
      const arrival = result === null ? undefined : arrivals.get(result.index)
      if (arrival === undefined) return null
      return withNames(seenOf(arrival, turn), namesSince(arrival))
    },
  }
}
