import { isProtected } from '../../guard/protection-window.ts'
import { compareRetention } from '../../guard/retention.ts'
import { headAndTail } from '../../render/head-tail.ts'
import type { Action } from '../../words/action.ts'
import { bringsBack } from '../../words/context-tools.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import type { Settings } from '../../words/settings.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { isOpen } from './open-item.ts'
import { createShownSize } from './shown-size.ts'

const keep = 2000
/** From this size on an output is marked, to be cut when the context gets full. */
const middleSize = 1000
/** So many of the marked outputs are compared before one is cut. */
const mostRanked = 32

/**
 * `largeOutputs`: the output of commands, searches and tools that are no file's by its three sizes. Small output stays;
 * large output keeps its ends and its failures; what is between them is marked, and cut once the messages fill their
 * share of the context, by its rank and then the oldest first.
 */
export const largeOutputs: StrategyFactory = (settings) => {
  if (!settings.largeOutputs.enabled) return null
  const limit = settings.largeOutputs.bashTruncate
  const marked: Output[] = []
  const size = createShownSize()
  return {
    name: 'largeOutputs',
    *operation(operation, view) {
      const { result, action } = operation
      if (result === null) return
      const output = { item: result, text: outputOf(operation) }
      const isLarge = output.text.length > limit
      if (!isLarge && output.text.length < middleSize) return
      if (!isOutput(action, settings) || showsNeededText(operation, settings)) return
      if (bringsBack(result.tool, action)) return
      if (isLarge) yield* cut(output, view, { limit, keep })
      else marked.push(output)
    },
    message(message, view) {
      size.observe(message, view)
    },
    *request(view) {
      const budgetTokens = budgetOf(settings, view.contextLimit())
      if (budgetTokens === null) return
      while (size.tokens(view) > budgetTokens) {
        // What is protected for its age would only be cut later, when there may be room again.
        const oldest = marked
          .slice(0, mostRanked)
          .filter(({ item }) => !isProtected(item.turn, view.turn, settings))
        const output = firstToGo(oldest, view)
        if (output === null) return
        marked.splice(marked.indexOf(output), 1)
        const { length } = output.text
        yield* cut(output, view, {
          limit: Math.floor(length * 0.6),
          keep: Math.min(keep, length >> 2),
        })
      }
    },
  }
}

/** Of the oldest, the one with the lowest rank; null when all of them are to be kept whatever happens. */
function firstToGo(oldest: readonly Output[], view: View): Output | null {
  const ranked = oldest.map((output) => ({ output, retention: view.retentionOf(output.item) }))
  const [first] = ranked.toSorted((a, b) => compareRetention(a.retention, b.retention))
  return first === undefined || first.retention === 'critical' ? null : first.output
}

interface Output {
  readonly item: ResultItem
  readonly text: string
}

function* cut(
  { item, text: output }: Output,
  view: View,
  options: { readonly limit: number; readonly keep: number },
): Proposals {
  if (!isOpen(item, view)) return
  const recall = { handle: item.handle, restore: view.restore }
  const text = headAndTail(output, { ...options, failureLines: true, recall })
  if (text === output) return
  yield {
    kind: 'show',
    item,
    rendition: { how: 'truncated', text },
    reason: 'output',
    strategy: 'largeOutputs',
    by: null,
  }
}

/** null where nobody knows how large the context is, so that it never gets full. */
function budgetOf({ history }: Settings, contextLimit: number | null): number | null {
  return contextLimit === null ? null : contextLimit * history.budgetShare
}

/** What a tool found or printed. What a file or a sub-agent says is not for its size alone to judge. */
function isOutput({ kind }: Action, settings: Settings): boolean {
  if (kind === 'shell') return true
  const isOther = kind === 'search' || kind === 'glob' || kind === 'fetch' || kind === 'other'
  return isOther && settings.largeOutputs.allTools
}

/** A file that a command printed is no log: where files are shown as they are now, that is what becomes of it. */
function showsNeededText({ action }: Operation, settings: Settings): boolean {
  return settings.files === 'current-view' && action.kind === 'shell' && action.reads.length > 0
}
