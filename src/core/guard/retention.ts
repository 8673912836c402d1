import type { FileTracker } from '../files/index.ts'
import { type ColourMark, namesPath } from '../track/task-names.ts'
import type { MarkedThings, TaskTracker } from '../track/tasks.ts'
import type { Item } from '../words/item.ts'
import type { Ledger } from '../words/ledger.ts'
import { pathsOf } from '../words/named-paths.ts'
import type { Operation } from '../words/operation.ts'

/** How long something is kept under pressure, what goes first at the beginning. `critical` never goes. */
export const retentions = ['temporary', 'ephemeral', 'important', 'critical'] as const

export type Retention = (typeof retentions)[number]

/** What an item's rank depends on. */
export interface RetentionScene {
  /** The request that is being prepared, from 1. */
  readonly turn: number
  readonly ledger: Pick<Ledger, 'of'>
  readonly files: Pick<FileTracker, 'history'>
  readonly tasks: Pick<TaskTracker, 'holds' | 'lifted' | 'lowered'>
  operationOf(item: Item): Operation | undefined
}

/** Turns for which an error, and any other result, is recent. */
const recentError = 3
const recent = 5

/**
 * The rank of an item. What the user said, the task list as it stands and calls that still run are critical; recent
 * results and files being edited are important; what is older is ephemeral; old errors and what was replaced are
 * temporary. A task marked 🔴 or 🟡 lifts what it names, one marked 🔵 lowers it.
 */
export function retentionOf(item: Item, scene: RetentionScene): Retention {
  const operation = scene.operationOf(item)
  const own = ownRank(item, operation, scene)
  if (own === 'critical') return own
  const isReplaced = scene.ledger.of(item.index) !== undefined
  const names = (things: MarkedThings): boolean =>
    things.handles.includes(item.handle) ||
    // A newer item shows what a path stands for now; only its handle asks for the old one.
    (!isReplaced && operation !== undefined && namesOperation(things, operation))
  const lift = scene.tasks.lifted().find(names)
  if (lift !== undefined) return higher(own, liftedTo(lift.mark))
  return scene.tasks.lowered().some(names) ? 'temporary' : own
}

/** Negative when the first goes before the second. */
export function compareRetention(a: Retention, b: Retention): number {
  return retentions.indexOf(a) - retentions.indexOf(b)
}

function ownRank(item: Item, operation: Operation | undefined, scene: RetentionScene): Retention {
  if (item.kind === 'text' && item.role !== 'assistant') return 'critical'
  if (scene.tasks.holds(item.index)) return 'critical'
  if (item.kind === 'call' && operation === undefined) return 'critical'
  if (item.kind === 'marker' || scene.ledger.of(item.index) !== undefined) return 'temporary'
  const age = scene.turn - item.turn
  if (operation?.status === 'error') return age < recentError ? 'important' : 'temporary'
  if (age < recent) return 'important'
  const isBeingEdited =
    operation !== undefined &&
    pathsOf(operation).some((path) => scene.turn - lastChange(path, scene) < recent)
  return isBeingEdited ? 'important' : 'ephemeral'
}

const changes: ReadonlySet<string> = new Set(['write', 'edit', 'patch'])

function lastChange(path: string, { files }: RetentionScene): number {
  const event = files.history(path).findLast(({ kind }) => changes.has(kind))
  return event?.turn ?? Number.NEGATIVE_INFINITY
}

function namesOperation(things: MarkedThings, operation: Operation): boolean {
  return (
    things.handles.includes(operation.call.handle) ||
    (operation.result !== null && things.handles.includes(operation.result.handle)) ||
    pathsOf(operation).some((path) => namesPath(things, path))
  )
}

function liftedTo(mark: ColourMark): Retention {
  return mark === 'critical' ? 'critical' : 'important'
}

function higher(a: Retention, b: Retention): Retention {
  return compareRetention(a, b) >= 0 ? a : b
}
