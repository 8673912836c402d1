import { strippedInput } from '../../render/index.ts'
import type { CallItem, Operation } from '../../words/operation.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'

const strategy = 'oldInputs'
/** Shorter inputs are left alone, because the note about them would take most of what they free. */
const leastChars = 400
/** Calls that change no file are never copied for an edit, so their inputs are old after half the time. */
const otherShare = 0.5

/**
 * `oldInputs`: the input of a successful call is stripped once its files were left alone for `turns` requests. It only happens
 * where sent bytes change anyway. An input that changed a file stays as long as an older text of that file is shown, because
 * the older text would then look current.
 */
export const oldInputs: StrategyFactory = (settings) => {
  const { enabled, turns } = settings.oldInputs
  // It waits for a request that changes sent bytes anyway; under `eager` every request may.
  if (!enabled || settings.schedule === 'eager') return null
  const waiting: Operation[] = []
  /** For each file, everything that shows or changes it, and the newest request that did. */
  const shownBy = new Map<string, Shown[]>()
  const lastTouch = new Map<string, number>()

  function isOld(operation: Operation, turn: number): boolean {
    const { changes } = operation.effects
    if (changes.length === 0) return turn - operation.turn >= turns * otherShare
    return changes.every(({ path }) => turn - (lastTouch.get(path) ?? 0) >= turns)
  }

  function showsOlderText({ turn, effects }: Operation, view: View): boolean {
    return effects.changes.some(({ path }) =>
      (shownBy.get(path) ?? []).some((shown) => shown.turn < turn && isShown(shown, turn, view)),
    )
  }

  function* strip(operation: Operation, view: View): Proposals<boolean> {
    const { call } = operation
    if (!mayStrip(call, view)) return true
    if (showsOlderText(operation, view)) return false
    const rendition = strippedInput(operation, view.restore)
    if (rendition === null) return true
    const outcome = yield {
      kind: 'show',
      item: call,
      rendition,
      reason: 'input',
      strategy,
      by: null,
    }
    return outcome === 'decided'
  }

  return {
    name: strategy,
    operation(operation, view) {
      const { call, result, turn, status, effects } = operation
      // A long command may name one file thousands of times.
      const paths = new Set(effects.named)
      for (const path of paths) lastTouch.set(path, view.turn)
      if (status !== 'ok') return
      const items = [call.index, ...(result === null ? [] : [result.index])]
      for (const path of paths) {
        const shown = shownBy.get(path) ?? []
        shown.push({ turn, items })
        shownBy.set(path, shown)
      }
      if (call.text.length >= leastChars) waiting.push(operation)
    },
    *epoch(view) {
      for (const operation of [...waiting]) {
        if (!view.mayChange(operation.call) || !isOld(operation, view.turn)) continue
        if (yield* strip(operation, view)) waiting.splice(waiting.indexOf(operation), 1)
      }
    },
  }
}

/** A call and its result, which may both show lines of a file. */
interface Shown {
  readonly turn: number
  readonly items: readonly number[]
}

/** True when lines from before the given turn can still be read there. A view is as new as the request that made it. */
function isShown({ items }: Shown, turn: number, { decisions }: View): boolean {
  return items.some((index) => {
    const decision = decisions.of(index)
    if (decision === undefined) return true
    const { how } = decision.rendition
    return how === 'view' ? decision.turn <= turn : how === 'truncated'
  })
}

/** True for an input that is shown in full or without its replaced text, and was not restored. */
function mayStrip(call: CallItem, { decisions, awaited }: View): boolean {
  if (call.opaque === true || decisions.isReverted(call.index)) return false
  const standing = decisions.of(call.index)
  if (standing !== undefined) return standing.strategy === 'pruneReplacedText'
  const pending = awaited(call)
  return pending === undefined || pending.strategy === 'pruneReplacedText'
}
