import { usualDigest } from '../../render/digest/digest.ts'
import type { DigestSource } from '../../render/digest/digest-types.ts'
import { foldStructure } from '../../render/digest/fold-structure.ts'
import { digestRepeat } from '../../render/digest/repeat.ts'
import { restoreHint } from '../../render/marks.ts'
import { callKey } from '../../words/call-key.ts'
import { bringsBack } from '../../words/context-tools.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import type { StrategyFactory, View } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const strategy = 'admission'
/** Shorter output is never digested. */
const leastChars = 800
/** Polls without news are short but frequent. */
const leastPollChars = 90
/** File text of this size would fill the context, so it is folded by its structure. */
const farTooLarge = 60_000
const foldedChars = 30_000
/** From this size on, a result is compared with an earlier one of the same command. */
const leastRepeated = 400

/**
 * `admission`: output of commands, searches and web pages is cut before it is first sent, which costs nothing and saves at
 * every request. Failures and names that a later call may copy stay. File text is kept whole, because it may be edited,
 * unless it is far too large. Output of failed calls is kept whole when neither `truncateOldErrors` nor `purgeErrors` is on.
 */
export const admission: StrategyFactory = (settings) => {
  if (!settings.admission.enabled) return null
  const keepsErrors = !settings.truncateOldErrors.enabled && !settings.purgeErrors.enabled
  const lastOf = new Map<string, ResultItem>()

  /** The newest earlier result of the same command, while it is still shown. */
  function earlierOf(operation: Operation, key: string, view: View): EarlierShown | null {
    const item = lastOf.get(key)
    if (item === undefined || item.turn >= operation.turn || !view.isVisible(item)) return null
    const rendition = view.decisions.of(item.index)?.rendition
    if (rendition === undefined) return { item, text: item.text }
    const text = rendition.how === 'truncated' ? rendition.text : null
    return text === null ? null : { item, text }
  }

  return {
    name: strategy,
    *operation(operation, view) {
      const { result } = operation
      if (result === null || outputOf(operation).length < leastOf(operation)) return
      if (!isUntouched(result, view)) return
      const key = repeatKey(operation)
      const earlier = key === null ? null : earlierOf(operation, key, view)
      const isKept = keepsErrors && result.status === 'error'
      const text = isKept ? null : admitted(operation, result, view)
      const again =
        earlier === null || isKept ? null : repeated(operation, result, { earlier, text, view })
      // A pointer cannot be the target of another pointer.
      if (key !== null && again === null) lastOf.set(key, result)
      const proposal = { kind: 'show', item: result, reason: 'output', strategy } as const
      if (earlier !== null && again !== null) {
        const rendition = { how: 'pointer', text: again } as const
        yield { ...proposal, rendition, by: earlier.item }
      } else if (text !== null) {
        yield { ...proposal, rendition: { how: 'truncated', text }, by: null }
      }
    },
  }
}

function leastOf({ action }: Operation): number {
  return action.kind === 'shell' && action.continues ? leastPollChars : leastChars
}

interface EarlierShown {
  readonly item: ResultItem
  readonly text: string
}

/** Repeated commands are compared with their earlier output. Polls are not, because each continues the last one. */
function repeatKey({ action, call }: Operation): string | null {
  if (action.kind !== 'shell' || action.continues || bringsBack(call.tool, action)) return null
  return callKey(call)
}

/** What a repeated command prints that it had not printed before; null when a pointer saves nothing. */
function repeated(
  operation: Operation,
  result: ResultItem,
  { earlier, text, view }: { earlier: EarlierShown; text: string | null; view: View },
): string | null {
  if (printsFile(operation)) return null
  const output = sourceOf(operation, result, view)
  const source = text === null ? output : { ...output, text }
  const recall = restoreHint({ handle: result.handle, restore: view.restore })
  const limits = { leastChars: leastRepeated, targetChars: leastRepeated, recall }
  return (
    digestRepeat(source, { text: earlier.text, handle: earlier.item.handle }, limits)?.text ?? null
  )
}

function admitted(operation: Operation, result: ResultItem, view: View): string | null {
  const recall = restoreHint({ handle: result.handle, restore: view.restore })
  if (!printsFile(operation)) {
    return usualDigest(sourceOf(operation, result, view), { recall })?.text ?? null
  }
  const output = outputOf(operation)
  if (output.length < farTooLarge) return null
  return foldStructure(output, { targetChars: foldedChars, recall })
}

function sourceOf(operation: Operation, result: ResultItem, _view: View): DigestSource {
  const { action } = operation
  const { handle, tool, status } = result
  const text = outputOf(operation)
  return { text, handle, tool, action, status }
}

/** True when the output is exact file text, by whatever tool. The agent may copy from it for an edit. */
function printsFile({ action }: Operation): boolean {
  if (action.kind === 'read') return true
  if (action.kind !== 'shell' || action.changes.length > 0 || action.reads.length === 0)
    return false
  return action.reads.every(({ exact }) => exact)
}
