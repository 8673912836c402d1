import { strippedInput } from '../../render/index.ts'
import { addToList } from '../../words/lists.ts'
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
  const files = new TouchedFiles()

  function isOld(operation: Operation, turn: number): boolean {
    const { changes } = operation.effects
    if (changes.length === 0) return turn - operation.turn >= turns * otherShare
    return changes.every(({ path }) => turn - files.lastTouch(path) >= turns)
  }

  function* strip(operation: Operation, view: View): Proposals<boolean> {
    const { call: item } = operation
    if (!mayStrip(item, view)) return true
    if (files.showOlderText(operation, view)) return false
    const rendition = strippedInput(operation, view.restore)
    if (rendition === null) return true
    const outcome = yield { kind: 'show', item, rendition, reason: 'input', strategy, by: null }
    return outcome === 'decided'
  }

  return {
    name: strategy,
    operation(operation, view) {
      files.observe(operation, view.turn)
      const { call, status } = operation
      if (status === 'ok' && call.text.length >= leastChars) waiting.push(operation)
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

/** For each file, everything that shows or changes it, and the newest request that did. */
class TouchedFiles {
  readonly #shownBy = new Map<string, Shown[]>()
  readonly #lastTouch = new Map<string, number>()

  observe({ call, result, turn, status, effects }: Operation, request: number): void {
    const items = [call.index, ...(result === null ? [] : [result.index])]
    // A long command may name one file thousands of times.
    for (const path of new Set(effects.named)) {
      this.#lastTouch.set(path, request)
      if (status === 'ok') addToList(this.#shownBy, path, { turn, items })
    }
  }

  /** The newest request that shows or changes the file; 0 when there is none. */
  lastTouch(path: string): number {
    return this.#lastTouch.get(path) ?? 0
  }

  /** True when an older text of a file that the operation changed can still be read. */
  showOlderText({ turn, effects }: Operation, view: View): boolean {
    return effects.changes.some(({ path }) =>
      (this.#shownBy.get(path) ?? []).some(
        (shown) => shown.turn < turn && isShown(shown, turn, view),
      ),
    )
  }
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
