import type { Message } from '../../words/item.ts'
import type { Operation } from '../../words/operation.ts'
import { leastCheckedChars } from './age-checks.ts'
import type { NeedFeatures, SeenFeatures } from './features.ts'
import { FileCounters, type FileCounts } from './file-counts.ts'
import { isPartial, printsChanges, printsFile, printsKnownLines } from './printed-files.ts'
import { createRecurringNames, type TrackedNames } from './recurring-names.ts'

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

/** Whether the file of a result was changed since, and touched within the given number of requests. */
export function isWorkedOn(arrival: Arrival, turn: number, withinTurns: number): boolean {
  const { file } = arrival
  if (!arrival.isFileText || file.edits === arrival.fileEdits) return false
  return turn - Math.max(file.lastTurn, arrival.turn) < withinTurns
}

/** Tracks a session to compute the features of its results. The work of a call depends only on what is new. */
export class NeedTracker {
  readonly #files = new FileCounters()
  readonly #names = createRecurringNames()
  readonly #arrivals = new Map<number, Arrival>()
  #userTexts = 0

  /**
   * An operation has completed; `turn` is the request that first sends its result. Returns null when the result is too
   * small to be checked.
   */
  observe(operation: Operation, turn: number): Arrival | null {
    const arrival = this.#arrive(operation, turn)
    this.#files.observe(operation, turn)
    return arrival
  }

  /** Takes every message once, after the operations that it completes. */
  observeMessage(message: Message): void {
    for (const item of message.items) {
      if (item.kind !== 'text' && item.kind !== 'reasoning' && item.kind !== 'call') continue
      this.#names.addText(item.text)
      if (item.kind === 'call') continue
      if (item.role === 'user') this.#userTexts++
      this.#files.observeText(item.text, { isAgent: item.role === 'assistant' })
    }
  }

  /**
   * All features except names, which are expensive to count. `pointedToAt` is the newest request that points to the
   * result, if any.
   */
  seenOf(arrival: Arrival, turn: number, pointedToAt = 0): SeenFeatures {
    const { file } = arrival
    const isSeenAgain = pointedToAt > arrival.turn
    const editsSince = file.edits - arrival.fileEdits
    return {
      isFileText: arrival.isFileText,
      isShell: arrival.isShell,
      // A result that a later read points to was last seen with that read.
      age: turn - (isSeenAgain ? pointedToAt : arrival.turn),
      arrivedAt: arrival.turn,
      isPartial: arrival.isPartial,
      isTest: file.isTest,
      isDocument: file.isDocument,
      editsSince,
      sessionEditsSince: this.#files.edits - arrival.edits,
      nearEditsSince: Math.max(0, file.folder.edits - arrival.folderEdits - editsSince),
      // The result itself is one of the reads.
      readsSince: isSeenAgain ? 0 : Math.max(0, file.reads - arrival.fileReads - 1),
      userSaid: file.said.byUser,
      agentSaidSince: file.said.byAgent - arrival.said,
      userSince: this.#userTexts - arrival.userTexts,
      chars: arrival.chars,
    }
  }

  /** How many of the names that a result declares appeared since. */
  namesSince({ names }: Arrival): number {
    return names === null ? 0 : this.#names.count(names)
  }

  /** All features of an observed operation; null when its result is too small to be checked. */
  featuresOf({ result }: Operation, turn: number): NeedFeatures | null {
    const arrival = result === null ? undefined : this.#arrivals.get(result.index)
    if (arrival === undefined) return null
    return { ...this.seenOf(arrival, turn), namesSince: this.namesSince(arrival) }
  }

  #arrive({ result, status, action, effects }: Operation, turn: number): Arrival | null {
    if (result === null || result.text.length < leastCheckedChars) return null
    const isFileText = printsFile(action) || printsChanges(action)
    const isRead = status === 'ok' && isFileText
    const file = this.#files.of(effects.named[0] ?? '')
    const arrival = {
      turn,
      isFileText,
      isShell: action.kind === 'shell' && !printsKnownLines(action),
      isPartial: isPartial(action),
      file,
      fileEdits: file.edits,
      fileReads: file.reads,
      edits: this.#files.edits,
      folderEdits: file.folder.edits,
      said: file.said.byAgent,
      userTexts: this.#userTexts,
      chars: result.text.length,
      names: isRead ? this.#names.track(result.text) : null,
    }
    this.#arrivals.set(result.index, arrival)
    return arrival
  }
}
