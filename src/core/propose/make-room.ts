import { isRecent } from '../guard/protection-window.ts'
import { compareRetention, type Retention } from '../guard/retention.ts'
import { charactersPerToken } from '../record/context-room.ts'
import type { Page } from '../record/page.ts'
import { distilledReasoning } from '../render/marks.ts'
import { placeholderFor } from '../render/stand-in.ts'
import type { Item } from '../words/item.ts'
import type { Operation, ResultItem } from '../words/operation.ts'
import type { Proposals, View } from './strategy.ts'

const strategy = 'pressure'

interface Pressed {
  readonly operations: Iterable<Operation>
  /** Reasoning that may be shown differently, the oldest first. */
  readonly reasoning: readonly Item[]
  readonly page: Page
  readonly view: View
  /** How probable it is that a result will be needed again; null where nothing is known of it. */
  readonly needOf: (operation: Operation) => number | null
}

interface Candidate {
  readonly operation: Operation
  readonly result: ResultItem
  readonly retention: Retention
  readonly need: number
  readonly isHistorical: boolean
}

/** What is too small to be asked about is needed about as often as other results are. */
const usualNeed = 0.1
/** The newest results are no history, however long ago they came. */
const recentResults = 10

/**
 * Results leave the page until it is no larger than wanted: history before what is recent, then those that rank lowest, of
 * the same rank those that will least probably be needed for their size, and where nobody can say, the oldest. Since the
 * page changes anyway, history above `triggers.historicalTokens` leaves in the same batch, and reasoning above
 * `thinkingTokens`; with more history than `aggressiveTokens`, any reasoning goes before a result does. What is critical
 * stays, and what may not be changed; then the request is too long, as it would have been without us.
 */
export function* makeRoom(wantedSize: number, pressed: Pressed): Proposals {
  const { page, view } = pressed
  const { historicalTokens, aggressiveTokens } = view.settings.triggers
  const candidates = lowestFirst(pressed)
  let historical = 0
  for (const { result, isHistorical } of candidates) {
    if (isHistorical) historical += sizeOf(result, page)
  }
  const isOver = (tokens: number): boolean => historical > tokens * charactersPerToken
  const isFull = (): boolean => page.shownBefore(page.length) > wantedSize
  const isAggressive = isOver(aggressiveTokens)
  yield* letReasoningGo(pressed, () => isAggressive && isFull())
  for (const { operation, result, isHistorical } of candidates) {
    if (!isFull() && !(isHistorical && isOver(historicalTokens))) return
    const before = sizeOf(result, page)
    const text = placeholderFor(operation, null, 'pressure', {
      handle: result.handle,
      restore: view.restore,
    })
    const rendition = { how: 'superseded', text } as const
    yield { kind: 'show', item: result, rendition, reason: 'pressure', strategy, by: null }
    if (isHistorical) historical -= before - sizeOf(result, page)
  }
}

function* letReasoningGo({ reasoning, page, view }: Pressed, isWanted: () => boolean): Proposals {
  const most = view.settings.triggers.thinkingTokens * charactersPerToken
  let thinking = reasoning.reduce((sum, item) => sum + sizeOf(item, page), 0)
  for (const item of reasoning) {
    if (thinking <= most && !isWanted()) return
    if (!view.mayChange(item)) continue
    const before = sizeOf(item, page)
    const rendition = { how: 'distilled', text: distilledReasoning } as const
    yield { kind: 'show', item, rendition, reason: 'pressure', strategy, by: null }
    thinking -= before - sizeOf(item, page)
  }
}

function sizeOf({ index }: Item, page: Page): number {
  const place = page.placeOf(index)
  return place === undefined ? 0 : page.shownSize(place)
}

function lowestFirst({ operations, view, needOf }: Pressed): readonly Candidate[] {
  const seen = new Set<number>()
  const ranked: Omit<Candidate, 'isHistorical'>[] = []
  for (const operation of operations) {
    const { result } = operation
    // Each operation stands there twice, for its call and for its result.
    if (result === null || seen.has(result.index)) continue
    seen.add(result.index)
    if (!view.mayChange(result)) continue
    const retention = view.retentionOf(result)
    if (retention === 'critical') continue
    const need = (needOf(operation) ?? usualNeed) / Math.max(1, result.text.length)
    ranked.push({ operation, result, retention, need })
  }
  const recentFrom = [...seen].sort((a, b) => a - b).at(-recentResults) ?? 0
  return ranked
    .map((each) => ({ ...each, isHistorical: isHistory(each, recentFrom, view) }))
    .sort(
      (a, b) =>
        Number(b.isHistorical) - Number(a.isHistorical) ||
        compareRetention(a.retention, b.retention) ||
        a.need - b.need ||
        a.result.index - b.result.index,
    )
}

/** Outside the task list, the current files, the newest results and the protected turns. */
function isHistory(
  { result, retention }: Omit<Candidate, 'isHistorical'>,
  recentFrom: number,
  { settings, turn }: View,
): boolean {
  if (compareRetention(retention, 'important') >= 0) return false
  if (result.index >= recentFrom) return false
  return !isRecent(result.turn, turn, settings)
}
