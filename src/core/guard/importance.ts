import type { FileTracker } from '../files/index.ts'
import { type ColourMark, namesPath } from '../track/task-names.ts'
import type { MarkedThings, TaskTracker } from '../track/tasks.ts'
import type { Item } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import type { Operation } from '../words/operation.ts'

/** How long something is kept when the context gets full, from what goes first to `critical`, which never goes. */
export const importances = ['temporary', 'ephemeral', 'important', 'critical'] as const

export type Importance = (typeof importances)[number]

/** What an item's importance depends on. */
export interface ImportanceView {
  /** The request that is being prepared, from 1. */
  readonly turn: number
  readonly ledger: Pick<Ledger, 'of'>
  readonly files: Pick<FileTracker, 'history'>
  readonly tasks: Pick<TaskTracker, 'holds' | 'markedImportant' | 'markedEphemeral'>
  operationOf(item: Item): Operation | undefined
}

/** Turns for which an error, and any other result, is recent. */
const recentError = 3
const recent = 5

/**
 * The importance of an item. What the user said, the task list as it stands and calls that still run are critical; recent
 * results and files being edited are important; what is older is ephemeral; old errors and what was replaced are
 * temporary. A task marked 🔴 or 🟡 lifts what it names, one marked 🔵 lowers it.
 */
export function importanceOf(item: Item, scene: ImportanceView): Importance {
  const operation = scene.operationOf(item)
  const own = ownRank(item, operation, scene)
  if (own === 'critical') return own
  const isReplaced = scene.ledger.of(item.index) !== undefined
  const names = (things: MarkedThings): boolean =>
    things.handles.includes(item.handle) ||
    // A newer item shows what the path stands for now; only its handle means the old one.
    (!isReplaced && operation !== undefined && namesOperation(things, operation))
  const lift = scene.tasks.markedImportant().find(names)
  if (lift !== undefined) return higher(own, liftedTo(lift.mark))
  return scene.tasks.markedEphemeral().some(names) ? 'temporary' : own
}

/** Negative when the first goes before the second. */
export function compareImportance(a: Importance, b: Importance): number {
  return importances.indexOf(a) - importances.indexOf(b)
}

function ownRank(item: Item, operation: Operation | undefined, scene: ImportanceView): Importance {
  if (item.kind === 'text' && item.role !== 'assistant') return 'critical'
  if (scene.tasks.holds(item.index)) return 'critical'
  if (item.kind === 'call' && operation === undefined) return 'critical'
  if (item.kind === 'marker' || scene.ledger.of(item.index) !== undefined) return 'temporary'
  const age = scene.turn - item.turn
  if (operation?.status === 'error') return age < recentError ? 'important' : 'temporary'
  if (age < recent) return 'important'
  const isBeingEdited = operation?.effects.named.some(
    (path) => scene.turn - lastChange(path, scene) < recent,
  )
  return isBeingEdited ? 'important' : 'ephemeral'
}

const changes: ReadonlySet<string> = new Set(['write', 'edit', 'patch'])

function lastChange(path: string, { files }: ImportanceView): number {
  const event = files.history(path).findLast(({ kind }) => changes.has(kind))
  return event?.turn ?? Number.NEGATIVE_INFINITY
}

function namesOperation(things: MarkedThings, operation: Operation): boolean {
  return (
    things.handles.includes(operation.call.handle) ||
    (operation.result !== null && things.handles.includes(operation.result.handle)) ||
    operation.effects.named.some((path) => namesPath(things, path))
  )
}

function liftedTo(mark: ColourMark): Importance {
  return mark === 'critical' ? 'critical' : 'important'
}

function higher(a: Importance, b: Importance): Importance {
  return compareImportance(a, b) >= 0 ? a : b
}
