import { type FileTouch, isCovered, type Span } from '../../words/effects.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import { partitionPoint } from '../../words/partition-point.ts'
import type { Proposals, Strategy, StrategyFactory, View } from '../strategy.ts'
import { CurrentView } from './current-view.ts'
import { firstLast } from './first-last.ts'
import { isHideable, succeeded } from './outcome.ts'

/** What newer operations on a file do to older ones, by the policy that `files` names. */
export const file: StrategyFactory = (settings) => {
  switch (settings.files) {
    case 'one-view':
    case 'latest-change':
    case 'overwrite':
    case 'supersede-reads':
      return filePolicy(settings.files)
    case 'first-last':
      return firstLast(settings)
    case 'current-view':
      return new CurrentView()
    case 'none':
      return null
  }
}

/** The policies under which a later operation on a file replaces earlier ones as a whole. */
type ReplacingPolicy = 'one-view' | 'latest-change' | 'overwrite' | 'supersede-reads'

/** For each policy, which touches can be replaced, and which replace them whatever their lines. */
const rules = {
  'one-view': { replaced: ['read', 'write', 'edit', 'delete'], by: ['write', 'edit', 'delete'] },
  'latest-change': {
    replaced: ['read', 'write', 'edit', 'delete'],
    by: ['write', 'edit', 'delete'],
  },
  overwrite: { replaced: ['read'], by: ['write'] },
  'supersede-reads': { replaced: ['read'], by: ['write', 'edit', 'delete'] },
} as const satisfies Record<
  ReplacingPolicy,
  { readonly replaced: readonly FileTouch['kind'][]; readonly by: readonly FileTouch['kind'][] }
>

/**
 * `one-view`: any later operation on a file replaces the earlier ones whose lines it covers; a change replaces them all.
 * `latest-change`: only a change replaces the earlier ones.
 * `overwrite`: a full write replaces earlier reads. `supersede-reads`: any change replaces earlier reads.
 * An operation on several files is superseded when each of its files was replaced.
 */
function filePolicy(policy: ReplacingPolicy): Strategy {
  const openByPath = new Map<string, OpenTouches>()
  const replaced: ReadonlySet<string> = new Set(rules[policy].replaced)
  const replacing: ReadonlySet<string> = new Set(rules[policy].by)

  function* replaceEarlier(touch: FileTouch, newer: Operation, view: View): Proposals {
    const open = openByPath.get(touch.path)
    if (open === undefined) return
    const taken = replacing.has(touch.kind)
      ? open.takeAll(newer.turn)
      : policy === 'one-view' && touch.covers !== null
        ? open.takeCovered(touch.covers, newer.turn)
        : []
    for (const { operation } of taken) {
      operation.open--
      if (operation.open > 0) continue
      const older = view.operationOf(operation.call)
      if (older?.result != null && isHideable(older.result, view)) {
        yield { kind: 'supersede', older, by: newer, reason: 'file', strategy: 'files' }
      }
    }
  }

  function keep(newer: Operation, touches: readonly FileTouch[]): void {
    const operation: OpenOperation = { call: newer.call, open: touches.length }
    for (const touch of touches) {
      const open = openByPath.get(touch.path) ?? createOpenTouches()
      openByPath.set(touch.path, open)
      open.add({ touch, operation })
    }
  }

  return {
    name: 'files',
    *operation(newer, view) {
      if (!succeeded(newer)) return
      const { touches, isOnlyFiles } = newer.effects
      for (const touch of touches) yield* replaceEarlier(touch, newer, view)
      if (isOnlyFiles && touches.every((touch) => replaced.has(touch.kind))) keep(newer, touches)
    },
  }
}

/** An operation on files that has not been replaced yet. */
interface OpenOperation {
  readonly call: CallItem
  /** How many of its files were not replaced yet. */
  open: number
}

interface OpenTouch {
  readonly touch: FileTouch
  readonly operation: OpenOperation
}

/** The touches of one file that were not replaced yet, in the order of their lines. */
interface OpenTouches {
  add(open: OpenTouch): void
  /** Removes and returns all of earlier turns. */
  takeAll(beforeTurn: number): readonly OpenTouch[]
  /** Removes and returns those of earlier turns whose lines are covered. */
  takeCovered(covers: Span, beforeTurn: number): readonly OpenTouch[]
}

function createOpenTouches(): OpenTouches {
  let touches: OpenTouch[] = []

  /** Position of the first touch that begins at or after a line. */
  function firstFrom(line: number): number {
    return partitionPoint(touches.length, (index) => touches[index]!.touch.needs.start < line)
  }

  return {
    add(open) {
      touches.splice(firstFrom(open.touch.needs.start + 1), 0, open)
    },
    takeAll(beforeTurn) {
      const taken = touches.filter(({ operation }) => operation.call.turn < beforeTurn)
      touches = touches.filter(({ operation }) => operation.call.turn >= beforeTurn)
      return taken
    },
    takeCovered(covers, beforeTurn) {
      const from = firstFrom(covers.start)
      const to = Number.isFinite(covers.end) ? firstFrom(covers.end + 1) : touches.length
      const within = touches.slice(from, to)
      const isTaken = ({ touch, operation }: OpenTouch): boolean =>
        operation.call.turn < beforeTurn && isCovered(touch.needs, covers)
      const taken = within.filter(isTaken)
      if (taken.length > 0) {
        touches.splice(from, to - from, ...within.filter((open) => !isTaken(open)))
      }
      return taken
    },
  }
}
