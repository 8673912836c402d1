import {
  type DigestSource,
  digestRepeat,
  foldStructure,
  usualDigest,
} from '../../render/digest/index.ts'
import { restoreHint } from '../../render/marks.ts'
import { callKey } from '../../words/call-key.ts'
import { bringsBack } from '../../words/context-tools.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import type { StrategyFactory, View } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const strategy = 'admission'
/** No digest is asked for below this, whatever the kind. */
const leastChars = 800
/** A poll that brought nothing is short, and there are many of them. */
const leastPollChars = 90
/** A file's text of this size leaves no room for anything else, and is folded by its structure. */
const farTooLarge = 60_000
const foldedChars = 30_000
/** What is shown of a result anyway is compared with an earlier one from this size on. */
const leastRepeated = 400

/**
 * `admission`: what commands, searches and pages print is cut before it is first sent, which costs nothing and saves its
 * price at every request. The cut knows what it cuts: failures, names that a later call may copy and the text of files
 * stay. What a file says is kept whole, because it may be edited, unless it is far too large. What a failed call printed is
 * kept whole where errors are to stay: where neither `truncateOldErrors` nor `purgeErrors` is on.
 */
export const admission: StrategyFactory = (settings) => {
  if (!settings.admission.enabled) return null
  const keepsErrors = !settings.truncateOldErrors.enabled && !settings.purgeErrors.enabled
  const lastOf = new Map<string, ResultItem>()

  /** The newest result of the same command, while it is in the page and was seen before this one. */
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
      // What only points to an earlier result is nothing to point to.
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

/** What a command that was run before prints is compared with what it printed; a poll goes on where the last one ended. */
function repeatKey({ action, call }: Operation): string | null {
  if (action.kind !== 'shell' || action.continues || bringsBack(call.tool, action)) return null
  return callKey(call)
}

/** What the same command says anew, in the place of what would be shown of it. */
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

/** A file as it is, by whatever tool: the agent may copy from it what it edits. */
function printsFile({ action }: Operation): boolean {
  if (action.kind === 'read') return true
  if (action.kind !== 'shell' || action.changes.length > 0 || action.reads.length === 0)
    return false
  return action.reads.every(({ exact }) => exact)
}
