import { compareImportance, type Importance } from '../guard/importance.ts'
import { isRecent } from '../guard/protection-window.ts'
import { charactersPerToken } from '../record/context-room.ts'
import type { ItemSizes } from '../record/item-sizes.ts'
import { distilledReasoning } from '../render/marks.ts'
import { placeholderFor } from '../render/placeholders.ts'
import type { Item } from '../words/item.ts'
import type { Operation, ResultItem } from '../words/operation.ts'
import type { Proposals, View } from './strategy.ts'

const strategy = 'pressure'

interface PressureInput {
  readonly operations: Iterable<Operation>
  /** Unsigned reasoning, oldest first. */
  readonly reasoning: readonly Item[]
  readonly sizes: ItemSizes
  readonly view: View
  /** The probability that a result will be needed again; null when it is unknown. */
  readonly needOf: (operation: Operation) => number | null
}

interface Candidate {
  readonly operation: Operation
  readonly result: ResultItem
  readonly importance: Importance
  readonly need: number
  readonly isHistorical: boolean
}

/** Assumed for results that are too small for a prediction. */
const usualNeed = 0.1
/** How many of the newest results never count as history. */
const recentResults = 10

/**
 * Hides results until the context has the wanted size: history first, then the least important, then those least likely
 * to be needed for their size, then the oldest. History above `triggers.historicalTokens` and reasoning above
 * `thinkingTokens` are hidden in the same batch. With more history than `aggressiveTokens`, all reasoning goes before any
 * result. Critical items stay, even if the request is then too long.
 */
export function* makeRoom(wantedSize: number, input: PressureInput): Proposals {
  const { sizes, view } = input
  const { historicalTokens, aggressiveTokens } = view.settings.triggers
  const candidates = leastImportantFirst(input)
  let historical = 0
  for (const { result, isHistorical } of candidates) {
    if (isHistorical) historical += sizeOf(result, sizes)
  }
  const isOver = (tokens: number): boolean => historical > tokens * charactersPerToken
  const isFull = (): boolean => sizes.shownBefore(sizes.length) > wantedSize
  const isAggressive = isOver(aggressiveTokens)
  yield* distillReasoning(input, () => isAggressive && isFull())
  for (const { operation, result, isHistorical } of candidates) {
    if (!isFull() && !(isHistorical && isOver(historicalTokens))) return
    const before = sizeOf(result, sizes)
    const text = placeholderFor(operation, null, 'pressure', {
      handle: result.handle,
      restore: view.restore,
    })
    const rendition = { how: 'superseded', text } as const
    yield { kind: 'show', item: result, rendition, reason: 'pressure', strategy, by: null }
    if (isHistorical) historical -= before - sizeOf(result, sizes)
  }
}

function* distillReasoning(
  { reasoning, sizes, view }: PressureInput,
  isWanted: () => boolean,
): Proposals {
  const maximum = view.settings.triggers.thinkingTokens * charactersPerToken
  let thinking = reasoning.reduce((sum, item) => sum + sizeOf(item, sizes), 0)
  for (const item of reasoning) {
    if (thinking <= maximum && !isWanted()) return
    if (!view.mayChange(item)) continue
    const before = sizeOf(item, sizes)
    const rendition = { how: 'distilled', text: distilledReasoning } as const
    yield { kind: 'show', item, rendition, reason: 'pressure', strategy, by: null }
    thinking -= before - sizeOf(item, sizes)
  }
}

function sizeOf({ index }: Item, sizes: ItemSizes): number {
  const place = sizes.placeOf(index)
  return place === undefined ? 0 : sizes.shownSize(place)
}

function leastImportantFirst({ operations, view, needOf }: PressureInput): readonly Candidate[] {
  const seen = new Set<number>()
  const ranked: Omit<Candidate, 'isHistorical'>[] = []
  for (const operation of operations) {
    const { result } = operation
    // Each operation appears twice, for its call and for its result.
    if (result === null || seen.has(result.index)) continue
    seen.add(result.index)
    if (!view.mayChange(result)) continue
    const importance = view.importanceOf(result)
    if (importance === 'critical') continue
    const need = (needOf(operation) ?? usualNeed) / Math.max(1, result.text.length)
    ranked.push({ operation, result, importance, need })
  }
  const recentFrom = [...seen].sort((a, b) => a - b).at(-recentResults) ?? 0
  return ranked
    .map((each) => ({ ...each, isHistorical: isHistory(each, recentFrom, view) }))
    .sort(
      (a, b) =>
        Number(b.isHistorical) - Number(a.isHistorical) ||
        compareImportance(a.importance, b.importance) ||
        a.need - b.need ||
        a.result.index - b.result.index,
    )
}

/** True for results outside the task list, the current files, the newest results and the protected turns. */
function isHistory(
  { result, importance }: Omit<Candidate, 'isHistorical'>,
  recentFrom: number,
  { settings, turn }: View,
): boolean {
  if (compareImportance(importance, 'important') >= 0) return false
  if (result.index >= recentFrom) return false
  return !isRecent(result.turn, turn, settings)
}
