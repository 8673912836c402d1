import type { LineList } from '../text/line-list.ts'
import { type Knowledge, nothingKnown } from '../text/version.ts'

/** What happened to a file. `noticed`: a read or a formatter's report shows a change from outside. */
export type FileEventKind =
  | 'read'
  | 'noticed'
  | 'write'
  | 'edit'
  | 'patch'
  | 'delete'
  | 'move'
  | 'copy'
  | 'doubt'

export interface FileEvent {
  readonly kind: FileEventKind
  readonly turn: number
  /** Index of the call; null when the agent did not cause it. */
  readonly call: number | null
  /** The file's version after it. */
  readonly version: number
}

export interface Snapshot extends Knowledge {
  readonly turn: number
  readonly number: number
  readonly exists: boolean | null
  /** The stamp of the last read that agreed with what was known. */
  readonly agreed: number
}

/** The knowledge of one path over time. */
export interface FileRecord {
  readonly snapshots: readonly Snapshot[]
  readonly events: readonly FileEvent[]
  /** The newest snapshot. */
  readonly now: Snapshot
  /** The stamp of a line of the newest version, or undefined when it has no such line. */
  stampOf(id: number): number | undefined
  isLost(id: number): boolean
  /** Records an event and the state after it. */
  record(event: Omit<FileEvent, 'version'>, next: NextState): void
  /** Removes and returns the state before the newest change that can be undone. */
  takeUndo(): Snapshot | undefined
}

export interface NextState extends Knowledge {
  readonly exists: boolean | null
  /** True when the text changed, false when only more of it is known. */
  readonly changes: boolean
  /** True when the change can be undone by the editor that made it. */
  readonly undoable?: boolean
  readonly agreed?: number
  readonly lost?: readonly number[]
}

export function createFileRecord(): FileRecord {
  const unseen: Snapshot = {
    version: nothingKnown,
    doubt: 0,
    exists: null,
    turn: 0,
    number: 0,
    agreed: 0,
  }
  const snapshots: Snapshot[] = [unseen]
  const events: FileEvent[] = []
  const undo: Snapshot[] = []
  const stamps = new Map<number, number>()
  const lost = new Set<number>()
  let now = unseen
  /** The snapshot whose lines are in `stamps`, which are updated on the first lookup. */
  let stamped: Snapshot = unseen

  return {
    snapshots,
    events,
    get now() {
      return now
    },
    stampOf(id) {
      if (stamped !== now) updateStamps(stamps, listsOf(stamped), listsOf(now))
      stamped = now
      return stamps.get(id)
    },
    isLost: (id) => lost.has(id),
    record(event, next) {
      const { version, doubt, exists, changes } = next
      if (next.undoable === true) undo.push(now)
      for (const id of next.lost ?? []) lost.add(id)
      const agreed = next.agreed ?? now.agreed
      if (changes || !isKnown(now, next, agreed)) {
        const number = now.number + (changes ? 1 : 0)
        now = { version, doubt, exists, turn: event.turn, number, agreed }
        // Of each turn only the last state can be queried.
        if (snapshots.at(-1)?.turn === now.turn) snapshots[snapshots.length - 1] = now
        else snapshots.push(now)
      }
      events.push({ kind: event.kind, turn: event.turn, call: event.call, version: now.number })
    },
    takeUndo: () => undo.pop(),
  }
}

/** True when the next state adds nothing to what is known. */
function isKnown(now: Snapshot, { version, doubt, exists }: NextState, agreed: number): boolean {
  return (
    version === now.version && doubt === now.doubt && exists === now.exists && agreed === now.agreed
  )
}

function listsOf({ version }: Knowledge): readonly LineList[] {
  return version.runs.map((run) => run.lines)
}

/** Updates the stamps of the chunks that changed; versions share the others. */
function updateStamps(
  stamps: Map<number, number>,
  before: readonly LineList[],
  after: readonly LineList[],
): void {
  const kept = new Set(after.flatMap((list) => list.chunks))
  const had = new Set(before.flatMap((list) => list.chunks))
  for (const chunk of had) if (!kept.has(chunk)) for (const line of chunk) stamps.delete(line.id)
  for (const chunk of kept) {
    if (!had.has(chunk)) for (const line of chunk) stamps.set(line.id, line.stamp)
  }
}
