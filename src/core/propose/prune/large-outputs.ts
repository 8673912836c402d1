import { compareImportance } from '../../guard/importance.ts'
import { isProtected } from '../../guard/protection-window.ts'
import { estimateTokens } from '../../record/tokens.ts'
import { headAndTail } from '../../render/head-tail.ts'
import type { Action } from '../../words/action.ts'
import { restoresOriginal } from '../../words/context-tools.ts'
import type { Item, Message } from '../../words/item.ts'
import { LedgerCursor } from '../../words/ledger.ts'
import { type Operation, outputOf, type ResultItem } from '../../words/operation.ts'
import type { Settings } from '../../words/settings.ts'
import type { Proposals, StrategyFactory, View } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

const keep = 2000
/** From this size on, an output may be cut when the context gets full. */
const middleSize = 1000
/** How many of the oldest marked outputs are compared before one is cut. */
const mostRanked = 32

/**
 * `largeOutputs`: output of commands, searches and other tools that do not show files. Small output stays. Large output
 * keeps its ends and its failure lines. Output of middle size is cut once the messages fill their share of the context,
 * the least important and oldest first.
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
      const command = action.kind === 'shell' ? action.command : undefined
      const output = { item: result, text: outputOf(operation), command }
      const isLarge = output.text.length > limit
      if (!isLarge && output.text.length < middleSize) return
      if (!isOutput(action, settings) || showsFile(operation, settings)) return
      if (restoresOriginal(result.tool, action)) return
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
        // A protected output would only be cut later, when there may be room again.
        const oldest = marked
          .slice(0, mostRanked)
          .filter(({ item }) => !isProtected(item.turn, view.turn, settings))
        const output = leastImportant(oldest, view)
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

/** The least important of the oldest outputs; null when all are critical. */
function leastImportant(oldest: readonly Output[], view: View): Output | null {
  const ranked = oldest.map((output) => ({ output, importance: view.importanceOf(output.item) }))
  const [first] = ranked.toSorted((a, b) => compareImportance(a.importance, b.importance))
  return first === undefined || first.importance === 'critical' ? null : first.output
}

interface Output {
  readonly item: ResultItem
  readonly text: string
  readonly command: string | undefined
}

function* cut(
  { item, text: output, command }: Output,
  view: View,
  options: { readonly limit: number; readonly keep: number },
): Proposals {
  if (!isUntouched(item, view)) return
  const recall = { handle: item.handle, restore: view.restore }
  const text = headAndTail(output, { ...options, failureLines: true, recall, command })
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

/** null when the context limit is unknown. */
function budgetOf({ history }: Settings, contextLimit: number | null): number | null {
  return contextLimit === null ? null : contextLimit * history.budgetShare
}

/** Text of files and reports of sub-agents are not cut for their size. */
function isOutput({ kind }: Action, settings: Settings): boolean {
  if (kind === 'shell') return true
  const isOther = kind === 'search' || kind === 'glob' || kind === 'fetch' || kind === 'other'
  return isOther && settings.largeOutputs.allTools
}

/** Under `current-view`, files printed by a command are shown as views instead. */
function showsFile({ action }: Operation, settings: Settings): boolean {
  return settings.files === 'current-view' && action.kind === 'shell' && action.reads.length > 0
}

/** How many tokens of the messages the model sees, updated from new messages and ledger entries. */
interface ShownSize {
  observe(message: Message, view: View): void
  tokens(view: View): number
}

function createShownSize(): ShownSize {
  const shown = new Map<number, number>()
  let total = 0
  const cursor = new LedgerCursor()
  let nextCheck = 64

  function set(index: number, tokens: number): void {
    total += tokens - (shown.get(index) ?? 0)
    shown.set(index, tokens)
  }

  function follow(view: View): void {
    for (const entry of cursor.take(view.decisions)) {
      if (entry.kind !== 'decision' && entry.kind !== 'revert') continue
      if (shown.has(entry.item)) set(entry.item, sizeNow(view.item(entry.item), view))
    }
  }

  /** Agents clear items without notice, so all items are checked each time their number has grown by half. */
  function dropCleared(view: View): void {
    if (shown.size < nextCheck) return
    nextCheck = Math.ceil(shown.size * 1.5)
    for (const [index, tokens] of shown) {
      if (tokens > 0 && !view.isVisible(view.item(index))) set(index, 0)
    }
  }

  return {
    observe(message, view) {
      for (const item of message.items) set(item.index, sizeNow(item, view))
    },
    tokens(view) {
      follow(view)
      dropCleared(view)
      return total
    },
  }
}

function sizeNow(item: Item, view: View): number {
  const decision = view.decisions.of(item.index)
  if (decision === undefined) return item.tokens
  const { text } = decision.rendition
  return text === null ? 0 : estimateTokens(text)
}
