import type { FileTracker } from '../files/index.ts'
import { type ColourMark, namesPath } from '../track/task-names.ts'
import type { MarkedReferences, TaskTracker } from '../track/tasks.ts'
import type { Item } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'

/** How long items are kept when the context gets full: `temporary` goes first, `critical` never goes. */
const importances = ['temporary', 'ephemeral', 'important', 'critical'] as const

export type Importance = (typeof importances)[number]

export interface ImportanceView {
  /** The request that is being prepared, from 1. */
  readonly turn: number
  readonly ledger: Pick<Ledger, 'of'>
  readonly files: Pick<FileTracker, 'history'>
  readonly tasks: Pick<TaskTracker, 'holds' | 'markedImportant' | 'markedEphemeral'>
  operationOf(item: Item): Operation | undefined
}

/** For how many turns an error, and any other result, counts as recent. */
const recentErrorTurns = 3
const recentTurns = 5

/**
 * The importance of an item. User messages, the current task list and running calls are critical; recent results and files
 * being edited are important; older items are ephemeral; old errors and replaced items are temporary. A task marked 🔴 or
 * 🟡 raises the items that it names, and one marked 🔵 lowers them.
 */
export function importanceOf(item: Item, view: ImportanceView): Importance {
  const operation = view.operationOf(item)
  const own = ownImportance(item, operation, view)
  if (own === 'critical') return own
  const isReplaced = view.ledger.of(item.index) !== undefined
  const names = (references: MarkedReferences): boolean =>
    references.handles.includes(item.handle) ||
    // A path in a task means the newest item about it; only a handle means a replaced one.
    (!isReplaced && operation !== undefined && namesOperation(references, operation))
  const lift = view.tasks.markedImportant().find(names)
  if (lift !== undefined) return higher(own, liftedTo(lift.mark))
  return view.tasks.markedEphemeral().some(names) ? 'temporary' : own
}

/** Negative when `a` is removed before `b`. */
export function compareImportance(a: Importance, b: Importance): number {
  return importances.indexOf(a) - importances.indexOf(b)
}

function ownImportance(
  item: Item,
  operation: Operation | undefined,
  view: ImportanceView,
): Importance {
  if (item.kind === 'text' && item.role !== 'assistant') return 'critical'
  if (view.tasks.holds(item.index)) return 'critical'
  if (item.kind === 'call' && operation === undefined) return 'critical'
  if (item.kind === 'marker' || view.ledger.of(item.index) !== undefined) return 'temporary'
  const age = view.turn - item.turn
  if (operation?.status === 'error') return age < recentErrorTurns ? 'important' : 'temporary'
  if (age < recentTurns) return 'important'
  const isBeingEdited = operation?.effects.named.some(
    (path) => view.turn - lastChange(path, view) < recentTurns,
  )
  return isBeingEdited ? 'important' : 'ephemeral'
}

const changes: ReadonlySet<string> = new Set(['write', 'edit', 'patch'])

function lastChange(path: string, { files }: ImportanceView): number {
  const event = files.history(path).findLast(({ kind }) => changes.has(kind))
  return event?.turn ?? Number.NEGATIVE_INFINITY
}

function namesOperation(references: MarkedReferences, operation: Operation): boolean {
  return (
    references.handles.includes(operation.call.handle) ||
    (operation.result !== null && references.handles.includes(operation.result.handle)) ||
    operation.effects.named.some((path) => namesPath(references, path))
  )
}

function liftedTo(mark: ColourMark): Importance {
  return mark === 'critical' ? 'critical' : 'important'
}

function higher(a: Importance, b: Importance): Importance {
  return compareImportance(a, b) >= 0 ? a : b
}
