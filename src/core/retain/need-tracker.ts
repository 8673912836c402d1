import { pathsOf } from '../guard/named-paths.ts'
import type { Message } from '../record/item.ts'
import type { Operation } from '../track/operation.ts'
import { leastAskedChars } from './checked-ages.ts'
import type { NeedFeatures } from './features.ts'
import { fileNamesIn, isDocument, isTest, nameOf } from './file-kinds.ts'
import { changedPaths, isPartial, printsFile } from './printed-files.ts'
import { createRecurringNames, type Recurrence } from './recurring-names.ts'

/** Follows a session for the features of its results. The work of a call depends on what is new alone. */
export interface NeedTracker {
  /** An operation has completed; `turn` is the request that shows its result first. */
  observe(operation: Operation, turn: number): void
  /** Every message once, after the operations that it completes. */
  hear(message: Message): void
  /** Of an operation that was observed; null where its result is too small to be asked about. */
  featuresOf(operation: Operation, turn: number): NeedFeatures | null
}

interface FileCounts {
  edits: number
  reads: number
  lastTurn: number
}

/** What the counters said when a result came. */
interface Arrival {
  readonly turn: number
  readonly path: string
  readonly isFileText: boolean
  readonly isPartial: boolean
  readonly isTest: boolean
  readonly isDocument: boolean
  readonly file: Readonly<FileCounts>
  readonly edits: number
  readonly said: number
  readonly userTexts: number
  readonly recurrence: Recurrence
}

const noFile: Readonly<FileCounts> = { edits: 0, reads: 0, lastTurn: 0 }

export function createNeedTracker(): NeedTracker {
  const files = new Map<string, FileCounts>()
  const userSaid = new Map<string, number>()
  const agentSaid = new Map<string, number>()
  const arrivals = new Map<number, Arrival>()
  const names = createRecurringNames()
  let edits = 0
  let userTexts = 0

  function touch(path: string, turn: number, kind: 'edits' | 'reads'): void {
    const counts = files.get(path) ?? { ...noFile }
    files.set(path, counts)
    counts[kind]++
    counts.lastTurn = turn
  }

  function arrive(operation: Operation, path: string, turn: number): void {
    const { result, status, action } = operation
    if (result === null || result.text.length < leastAskedChars) return
    const isFileText = printsFile(action)
    const isRead = status === 'ok' && isFileText
    arrivals.set(result.index, {
      turn,
      path,
      isFileText,
      isPartial: isPartial(action),
      isTest: isTest(path),
      isDocument: isDocument(path),
      file: { ...(files.get(path) ?? noFile) },
      edits,
      said: agentSaid.get(nameOf(path)) ?? 0,
      userTexts,
      recurrence: isRead ? names.follow(result.text) : { count: 0 },
    })
  }

  return {
    observe(operation, turn) {
      const paths = pathsOf(operation)
      arrive(operation, paths[0] ?? '', turn)
      const changed = operation.status === 'ok' ? changedPaths(operation.action) : []
      for (const path of changed) {
        edits++
        touch(path, turn, 'edits')
      }
      for (const path of paths) if (!changed.includes(path)) touch(path, turn, 'reads')
    },
    hear(message) {
      for (const item of message.items) {
        if (item.kind !== 'text' && item.kind !== 'reasoning' && item.kind !== 'call') continue
        names.hear(item.text)
        if (item.kind === 'call') continue
        if (item.role === 'user') userTexts++
        const counts = item.role === 'assistant' ? agentSaid : userSaid
        for (const name of fileNamesIn(item.text)) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    },
    featuresOf({ result, action }, turn) {
      const arrival = result === null ? undefined : arrivals.get(result.index)
      if (result === null || arrival === undefined) return null
      const { path, file } = arrival
      const name = nameOf(path)
      const now = files.get(path) ?? noFile
      return {
        isFileText: arrival.isFileText,
        isShell: action.kind === 'shell',
        age: turn - arrival.turn,
        isPartial: arrival.isPartial,
        isTest: arrival.isTest,
        isDocument: arrival.isDocument,
        editsSince: now.edits - file.edits,
        sessionEditsSince: edits - arrival.edits,
        // It is one of the reads itself.
        readsSince: Math.max(0, now.reads - file.reads - 1),
        quiet: turn - Math.max(now.lastTurn, arrival.turn),
        userSaid: userSaid.get(name) ?? 0,
        agentSaidSince: (agentSaid.get(name) ?? 0) - arrival.said,
        namesSince: arrival.recurrence.count,
        userSince: userTexts - arrival.userTexts,
      }
    },
  }
}
