import { type FileTouch, isCovered, type Span } from '../../words/effects.ts'
import type { CallItem } from '../../words/operation.ts'
import { partitionPoint } from '../../words/partition-point.ts'

/** An operation on files that has not been replaced yet. */
export interface OpenOperation {
  readonly call: CallItem
  /** How many of its files were not replaced yet. */
  open: number
}

export interface OpenTouch {
  readonly touch: FileTouch
  readonly operation: OpenOperation
}

/** The touches of one file that were not replaced yet, in the order of their lines. */
export interface OpenTouches {
  add(open: OpenTouch): void
  /** Removes and returns all of earlier turns. */
  takeAll(beforeTurn: number): readonly OpenTouch[]
  /** Removes and returns those of earlier turns whose lines are covered. */
  takeCovered(covers: Span, beforeTurn: number): readonly OpenTouch[]
}

export function createOpenTouches(): OpenTouches {
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
