import { pathsOf } from '../guard/named-paths.ts'
import type { Message } from '../record/item.ts'
import type { Operation } from '../track/operation.ts'
import { leastAskedChars } from './checked-ages.ts'
import { type Cohort, createCohorts, editedShare } from './cohorts.ts'
import type { NeedFeatures } from './features.ts'
import { fileNamesIn, folderOf, isConfiguration, isDocument, isTest, nameOf } from './file-kinds.ts'
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
  readonly paths: readonly string[]
  readonly file: Readonly<FileCounts>
  readonly edits: number
  readonly said: number
  readonly called: number
  readonly userTexts: number
  readonly cohort: Cohort
  readonly recurrence: Recurrence
}

/** Turns in which an edit is recent. */
const recentTurns = 10

const noFile: Readonly<FileCounts> = { edits: 0, reads: 0, lastTurn: 0 }

export function createNeedTracker(): NeedTracker {
  const files = new Map<string, FileCounts>()
  const folderEdits = new Map<string, number>()
  const userSaid = new Map<string, number>()
  const agentSaid = new Map<string, number>()
  const called = new Map<string, number>()
  const arrivals = new Map<number, Arrival>()
  const names = createRecurringNames()
  const cohorts = createCohorts()
  /** The turn of every edit, in order. */
  const editTurns: number[] = []
  let userTexts = 0

  function touch(path: string, turn: number, kind: 'edits' | 'reads'): void {
    const counts = files.get(path) ?? { ...noFile }
    files.set(path, counts)
    counts[kind]++
    counts.lastTurn = turn
  }

  function arrive(operation: Operation, paths: readonly string[], turn: number): void {
    const { result, status, action } = operation
    const isRead = status === 'ok' && printsFile(action)
    const cohort = cohorts.join(isRead ? paths : [], turn)
    if (result === null || result.text.length < leastAskedChars) return
    const [path = ''] = paths
    arrivals.set(result.index, {
      turn,
      paths,
      file: { ...(files.get(path) ?? noFile) },
      edits: editTurns.length,
      said: agentSaid.get(nameOf(path)) ?? 0,
      called: called.get(nameOf(path)) ?? 0,
      userTexts,
      cohort,
      recurrence: isRead ? names.follow(result.text) : { count: 0 },
    })
  }

  return {
    observe(operation, turn) {
      const paths = pathsOf(operation)
      arrive(operation, paths, turn)
      const changed = operation.status === 'ok' ? changedPaths(operation.action) : []
      for (const path of changed) {
        editTurns.push(turn)
        add(folderEdits, folderOf(path))
        cohorts.changed(path)
        touch(path, turn, 'edits')
      }
      for (const path of paths) if (!changed.includes(path)) touch(path, turn, 'reads')
    },
    hear(message) {
      for (const item of message.items) {
        if (item.kind !== 'text' && item.kind !== 'reasoning' && item.kind !== 'call') continue
        const isAgent = item.role === 'assistant'
        if (item.role === 'user') userTexts++
        const counts = item.kind === 'call' ? called : isAgent ? agentSaid : userSaid
        for (const name of fileNamesIn(item.text)) add(counts, name)
        names.hear(item.text)
      }
    },
    featuresOf({ result, action }, turn) {
      const arrival = result === null ? undefined : arrivals.get(result.index)
      if (result === null || arrival === undefined) return null
      const { paths, file } = arrival
      const [path = ''] = paths
      const name = nameOf(path)
      const now = files.get(path) ?? noFile
      return {
        isFileText: printsFile(action),
        isShell: action.kind === 'shell',
        isSearch: action.kind === 'search' || action.kind === 'glob',
        age: turn - arrival.turn,
        size: result.text.length,
        isPartial: isPartial(action),
        isTest: isTest(path),
        isDocument: isDocument(path),
        isConfiguration: isConfiguration(path),
        files: paths.length,
        editsBefore: file.edits,
        editsSince: now.edits - file.edits,
        readsBefore: file.reads,
        // It is one of the reads itself.
        readsSince: Math.max(0, now.reads - file.reads - 1),
        quiet: turn - Math.max(now.lastTurn, arrival.turn),
        sessionEdits: editTurns.length,
        sessionEditsSince: editTurns.length - arrival.edits,
        folderEdits: path === '' ? 0 : (folderEdits.get(folderOf(path)) ?? 0),
        recentEdits: countFrom(editTurns, turn - recentTurns),
        isExplored: arrival.edits === 0,
        cohortEdited: editedShare(arrival.cohort, now.edits > file.edits),
        userSaid: userSaid.get(name) ?? 0,
        agentSaidBefore: arrival.said,
        agentSaidSince: (agentSaid.get(name) ?? 0) - arrival.said,
        calledSince: (called.get(name) ?? 0) - arrival.called,
        namesSince: arrival.recurrence.count,
        userSince: userTexts - arrival.userTexts,
        turn,
      }
    },
  }
}

/** How many of the last entries are not before a turn. */
function countFrom(turns: readonly number[], from: number): number {
  let at = turns.length
  while (at > 0 && (turns[at - 1] as number) >= from) at--
  return turns.length - at
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
